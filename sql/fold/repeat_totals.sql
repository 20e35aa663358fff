-- fold.repeat_totals: traded contracts of each island that is not one package yet.
-- grain: island, contract_number
-- reads: fold.repeat_islands
with

crowded as (
    select
        island,
        any_value(stream) as stream,
        any_value(order_gap_us) as order_gap_us,
        min(printed_us) as first_us,
        count(distinct contract_number) as contract_count,
        count(distinct piece_id) as piece_count
    from fold.repeat_islands
    group by island
    having count(distinct piece_id) > 1 and count(distinct contract_number) > 1
)

select
    crowded.*,
    islands.contract_number,
    sum(islands.size)::bigint as contracts
from crowded
inner join fold.repeat_islands as islands using (island)
group by all
