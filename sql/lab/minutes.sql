-- lab.minutes: the market of each minute of a session, by state. is_unknown is 1 where the dealers'
-- positions are not known, else 0; is_parity where the index is one by put-call parity.
-- grain: state
-- reads: the files of market_minutes
-- param: files, first_minute
with

market_minutes as (
    from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)
    union all by name
    -- files of older code lack it
    select null::varchar as spot_source
    where false
)

select
    minute_number(minute_et) - $first_minute as state,
    spot,
    open,
    previous_close,
    expected_move_points as expected_move,
    session_expected_move_points as session_expected_move,
    net_gamma_musd_per_point as net_gamma,
    flip,
    call_wall,
    put_wall,
    coalesce(level_reason = 'inventory_unknown', false)::integer::double as is_unknown,
    coalesce(spot_source = 'parity', false)::integer::double as is_parity
from market_minutes
