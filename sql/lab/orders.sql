-- lab.orders: the versions of the large orders of a session, by the states at which they count.
-- grain: order_id, revision_number
-- reads: the files of large_orders
-- param: files, first_ms
with

-- of a running session a version stands once as it came and once as it ended
versions as (
    select *
    from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
    qualify row_number() over (
        partition by order_id, revision_number order by superseded_at nulls last
    ) = 1
)

select
    lab_state(visible_at, $first_ms) as from_state,
    lab_state(superseded_at, $first_ms) as until_state,
    lab_state(printed_at, $first_ms) as printed_state,
    gross_premium_usd as premium_usd,
    dealer_gamma_musd_per_point as gamma
from versions
order by visible_at, order_id, revision_number
