-- fold.pieces: packages found so far and loose legs, as parts that may yet belong together. Loose
-- prints of one contract that came together are one part: a leg that filled in several prints.
-- grain: print_number
-- reads: fold.fill_prints, fold.leg_prints
-- param: level_us, weak_cost
with

members as (
    select
        legs.*,
        fills.fill_id,
        fills.cost_thousandths,
        fills.unit,
        fills.leg_count
    from fold.leg_prints as legs
    left join fold.fill_prints as fills using (print_number)
),

loose as (
    select
        *,
        coalesce(
            printed_us - lag(printed_us) over one_contract > gap_scale
                -- late ones spread no longer than their islands do: by then the order is published
                * if(gap_scale > 1, least($level_us::bigint, widest_level_us), $level_us::bigint),
            true
        ) as is_start
    from members
    where fill_id is null and (is_leg or is_off_tick)
    window one_contract as (partition by stream, contract_number order by print_number)
),

parts as (
    select
        *,
        max(case when is_start then print_number end) over (
            partition by stream, contract_number
            order by print_number rows unbounded preceding
        ) as piece_id,
        true as is_loose
    from loose
    union all by name
    select
        * replace (null as loose_cost),
        fill_id as piece_id,
        -- a weak package is as good as loose: it was closed because nothing else was left
        cost_thousandths >= $weak_cost::integer as is_loose
    from members
    where fill_id is not null
)

select
    print_number,
    piece_id,
    is_loose,
    loose_cost,
    cost_thousandths,
    unit,
    leg_count,
    stream,
    gap_scale,
    widest_level_us,
    contract_number,
    size,
    cash_cents,
    is_penny,
    printed_us
from parts
