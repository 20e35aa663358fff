-- fold.quote_trust: trust in the quote of each print, judged by the prints known before it. An
-- electronic single order trades inside the quote it met, so where many of the latest ones are
-- outside theirs, the quotes are of another time, whatever they state. Only the first print of a
-- contract after a pause counts: the rest of a sweep goes through the quote. A print that is
-- cancelled later counts: nobody knew when it was used.
-- grain: sequence
-- reads: fold.print_fates, tape.conditions, tape.prints
-- param: burst_gap_us, quote_age_us, trust_least_outside, trust_most_outside, trust_prints
with

reported as (
    select
        prints.sequence,
        contract_number_of(
            expiry_order(prints.root, prints.expiry), prints.strike, prints.option_type
        ) as contract_number,
        prints.printed_at,
        prints.known_at,
        coalesce(conditions.is_multi_leg, false) as is_multi_leg,
        is_print_quoted(
            prints.best_bid,
            prints.best_ask,
            prints.printed_at,
            prints.quoted_at,
            $quote_age_us::bigint
        )
        and print_class_of(prints.condition, conditions.print_class) = 'electronic' as is_judgeable,
        coalesce(
            round(prints.price * 100)::bigint
                not between round(prints.best_bid * 100)::bigint
                and round(prints.best_ask * 100)::bigint,
            false
        ) as is_outside
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.conditions as conditions on conditions.letter = prints.condition
    where fates.fate in ('kept', 'cancelled')
),

-- legs judge nothing, so they are not sorted with the prints that do
spaced as (
    select
        sequence,
        printed_at,
        known_at,
        is_outside,
        is_judgeable
        and coalesce(
            epoch_us(printed_at) - lag(epoch_us(printed_at)) over one_contract
                > $burst_gap_us::bigint
            -- later arrivals are not compared: a running session has no longer memory
            or known_at - lag(known_at) over one_contract > interval 1 second,
            true
        ) as is_judged
    from reported
    where not is_multi_leg
    -- prints that became known later were not available then
    window one_contract as (
        partition by contract_number order by known_at, printed_at, sequence
    )
),

marked as (
    from spaced
    union all
    select sequence, printed_at, known_at, is_outside, false
    from reported
    where is_multi_leg
),

summed as (
    select
        sequence,
        known_at,
        is_judged,
        is_judged and is_outside as is_against,
        sum(is_judged::integer) over so_far as judged_so_far,
        sum((is_judged and is_outside)::integer) over so_far as outside_so_far
    from marked
    window so_far as (order by known_at, printed_at, sequence rows unbounded preceding)
),

counted as (
    select
        sequence,
        known_at,
        is_judged,
        (judged_so_far - is_judged::integer)::bigint as judged_before,
        (outside_so_far - is_against::integer)::bigint as outside_before
    from summed
),

-- counts at the time when a judged print was the latest
marks as (
    select judged_so_far::bigint as judged_so_far, outside_so_far::bigint as outside_so_far
    from summed
    where is_judged
),

latest as (
    select
        counted.sequence,
        counted.known_at,
        counted.is_judged,
        least(counted.judged_before, $trust_prints::bigint) as judged_count,
        counted.outside_before - coalesce(marks.outside_so_far, 0) as outside_count
    from counted
    left join marks on marks.judged_so_far = counted.judged_before - $trust_prints::bigint
)

select
    sequence,
    known_at,
    is_judged,
    judged_count,
    outside_count,
    outside_count >= $trust_least_outside::bigint
    and outside_count > $trust_most_outside::double * judged_count as is_stale
from latest
