-- fold.repeat_templates: packages that may come again: those found, and whole islands of up to six
-- contracts whose contracts met in the same ratio twice within the gap of one order, which
-- strangers do not do.
-- grain: template_id, contract_number
-- reads: fold.fill_prints, fold.repeat_islands, fold.repeat_totals
with

found_totals as (
    select
        islands.piece_id as template_id,
        -- a package of two kinds of market belongs to that of its first print
        arg_min(islands.stream, islands.print_number) as stream,
        arg_min(islands.order_gap_us, islands.print_number) as order_gap_us,
        min(islands.printed_us) as first_us,
        islands.contract_number,
        sum(islands.size)::bigint as contracts
    from fold.repeat_islands as islands
    where islands.piece_id in (select fill_id from fold.fill_prints)
    group by islands.piece_id, islands.contract_number
),

island_totals as (
    select -island as template_id, stream, order_gap_us, first_us, contract_number, contracts
    from fold.repeat_totals
    where contract_count between 3 and 6
),

-- one sorted list a template: a sort inside every aggregate costs more than all the rest
gathered as (
    select
        template_id,
        arg_min(stream, (first_us, stream)) as stream,
        arg_min(order_gap_us, (first_us, stream)) as order_gap_us,
        min(first_us) as first_us,
        list_sort(list(struct_pack(contract_number, contracts))) as legs
    from (from found_totals union all from island_totals)
    group by template_id
    having count(*) between 2 and 6 and max(contracts) <= 8 * min(contracts)
),

signed as (
    select
        *,
        [leg.contract_number for leg in legs] as contract_numbers,
        list_reduce([leg.contracts for leg in legs], lambda a, b: gcd(a, b)) as unit
    from gathered
),

reduced as (
    select *, [leg.contracts // unit for leg in legs] as ratios
    from signed
),

recurring as (
    select
        *,
        least(
            first_us - lag(first_us) over in_time, lead(first_us) over in_time - first_us
        ) as nearest_us,
        -- the first of those that are the same package
        min(template_id) over (partition by stream, contract_numbers, ratios) as package_key
    from reduced
    window in_time as (
        partition by stream, contract_numbers, ratios order by first_us, template_id
    )
)

select
    template_id,
    stream,
    order_gap_us,
    first_us,
    package_key,
    len(contract_numbers) as leg_count,
    unnest(contract_numbers) as contract_number,
    unnest(ratios) as ratio
from recurring
where template_id > 0 or nearest_us <= order_gap_us
