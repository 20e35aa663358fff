-- fold.pieces: packages found so far and loose legs, as parts that may yet belong together. Loose
-- prints of one contract that came together are one part: a leg that filled in several prints.
-- grain: print_number
-- reads: fold.fill_prints, fold.kept_prints
-- param: level_us
with

legs as (
    select
        *,
        exchange || coalesce(condition, '?') as lane,
        case when print_class in ('floor', 'legacy', 'late') then 200 else 1 end as lane_scale
    from fold.kept_prints
    where is_multi_leg
        or ((condition is null or print_class = 'late') and is_off_tick)
        or print_number in (select print_number from fold.fill_prints)
),

loose as (
    select
        legs.*,
        coalesce(
            printed_us - lag(printed_us) over one_contract > $level_us::bigint * lane_scale, true
        ) as is_start
    from legs
    where print_number not in (select print_number from fold.fill_prints)
    window one_contract as (partition by lane, contract_number order by print_number)
),

parts as (
    select
        print_number,
        max(case when is_start then print_number end) over (
            partition by lane, contract_number
            order by print_number rows unbounded preceding
        ) as piece_id,
        true as is_loose
    from loose
    union all
    select print_number, fill_id, false
    from fold.fill_prints
)

select
    parts.print_number,
    parts.piece_id,
    parts.is_loose,
    legs.lane,
    legs.lane_scale,
    legs.contract_number,
    legs.size,
    legs.cash_cents,
    legs.is_penny,
    legs.printed_us
from parts
inner join legs using (print_number)
