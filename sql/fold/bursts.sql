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
    anti join fold.fill_prints using (print_number)
),

-- one number for three texts: every window below looks for its prints by it
lanes as (
    select
        exchange,
        print_class,
        leg_letter,
        row_number() over (order by exchange, print_class, leg_letter) as lane
    from (select distinct exchange, print_class, leg_letter from loose)
),

spaced as (
    select
        loose.print_number,
        lanes.lane,
        loose.contract_number,
        loose.told_side,
        coalesce(
            loose.printed_us - lag(loose.printed_us) over one_contract > case loose.print_class
                when 'floor' then $burst_gap_floor_us::bigint
                when 'late' then $burst_gap_late_us::bigint
                else $burst_gap_us::bigint
            end,
            true
        ) as is_after_gap,
        lag(loose.told_side ignore nulls) over one_contract as side_before,
        lag(case when loose.told_side is not null then loose.print_number end ignore nulls)
            over one_contract as told_before
    from loose
    inner join lanes using (exchange, print_class, leg_letter)
    window one_contract as (
        partition by lanes.lane, loose.contract_number order by loose.print_number
    )
),

gapped as (
    select
        *,
        max(case when is_after_gap then print_number end) over (
            partition by lane, contract_number order by print_number rows unbounded preceding
        ) as after_gap
    from spaced
),

turned as (
    select
        *,
        -- a side told before the gap is forgotten
        is_after_gap
        or coalesce(told_side <> side_before and told_before >= after_gap, false) as is_start
    from gapped
)

select
    print_number,
    max(case when is_start then print_number end) over (
        partition by lane, contract_number order by print_number rows unbounded preceding
    ) as burst_id
from turned
