-- fold.bursts: prints of one contract that belong together: one order against several others.
-- A burst ends when the gap is too long or the side that the quote tells turns; a print at the
-- middle joins. Legs that found no package are joined the same way, whatever side they tell.
-- grain: print_number
-- reads: fold.fill_prints, fold.kept_prints
-- param: burst_gap_floor_us, burst_gap_late_us, burst_gap_us
with

loose as (
    select
        *,
        case when is_multi_leg then condition else '' end as leg_letter,
        case when is_multi_leg then null else nullif(quoted_side, 0) end as told_side
    from fold.kept_prints
    where print_number not in (select print_number from fold.fill_prints)
),

spaced as (
    select
        *,
        coalesce(
            printed_us - lag(printed_us) over one_contract > case print_class
                when 'floor' then $burst_gap_floor_us::bigint
                when 'late' then $burst_gap_late_us::bigint
                else $burst_gap_us::bigint
            end,
            true
        ) as is_after_gap
    from loose
    window one_contract as (
        partition by exchange, contract_number, print_class, leg_letter order by print_number
    )
),

gapped as (
    select
        *,
        max(case when is_after_gap then print_number end) over (
            partition by exchange, contract_number, print_class, leg_letter
            order by print_number rows unbounded preceding
        ) as after_gap
    from spaced
),

turned as (
    select
        *,
        is_after_gap or coalesce(
            told_side <> lag(told_side ignore nulls) over one_run, false
        ) as is_start
    from gapped
    window one_run as (partition by after_gap order by print_number)
)

select
    print_number,
    max(case when is_start then print_number end) over (
        partition by after_gap order by print_number rows unbounded preceding
    ) as burst_id
from turned
