-- fold.quote_trust: whether the quotes beside a print may be believed, by the prints known
-- before it: an electronic single order trades inside the quote it met, so where many of the latest
-- ones stand outside theirs, the quotes are of another time, whatever they state. Only the first
-- print of a contract after a pause counts: the rest of a sweep goes through the quote.
-- grain: print_number
-- reads: fold.kept_prints
-- param: burst_gap_us, trust_least_outside, trust_most_outside, trust_prints
with

marked as (
    select
        *,
        is_quoted and not is_multi_leg and print_class = 'electronic'
        and coalesce(
            printed_us - lag(printed_us) over one_contract > $burst_gap_us::bigint, true
        ) as is_judged,
        coalesce(
            cents not between round(best_bid * 100)::bigint and round(best_ask * 100)::bigint,
            false
        ) as is_outside
    from fold.kept_prints
    window one_contract as (partition by contract_number, is_multi_leg order by print_number)
),

summed as (
    select
        print_number,
        is_judged,
        sum(is_judged::integer) over so_far as judged_so_far,
        sum((is_judged and is_outside)::integer) over so_far as outside_so_far,
        is_judged and is_outside as is_against
    from marked
    -- what became known later was not there to judge by
    window so_far as (order by known_at, print_number rows unbounded preceding)
),

counted as (
    select
        print_number,
        (judged_so_far - is_judged::integer)::bigint as judged_before,
        (outside_so_far - is_against::integer)::bigint as outside_before
    from summed
),

-- what had been counted when a judged print was the latest
marks as (
    select judged_so_far::bigint as judged_so_far, outside_so_far::bigint as outside_so_far
    from summed
    where is_judged
),

latest as (
    select
        counted.print_number,
        least(counted.judged_before, $trust_prints::bigint) as judged_count,
        counted.outside_before - coalesce(marks.outside_so_far, 0) as outside_count
    from counted
    left join marks on marks.judged_so_far = counted.judged_before - $trust_prints::bigint
)

select
    print_number,
    judged_count,
    outside_count,
    outside_count >= $trust_least_outside::bigint
    and outside_count > $trust_most_outside::double * judged_count as is_stale
from latest
