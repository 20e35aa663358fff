-- audit.prints_are_conserved: a fold may group prints, but it never loses, doubles or invents one:
-- every print of the tape that was known in time has a disposition, and those that count are in one
-- order each. A print that became known after the session, as a correction days later, is not part
-- of it.
-- grain: sequence
-- reads: fold.order_prints, fold.print_fates, tape.prints, tape.session
with

known as (
    select prints.sequence, prints.printed_at
    from tape.prints as prints
    inner join tape.session as session
        on session.session_date = prints.session_date and prints.known_at < session.known_until
),

memberships as (
    select sequence, count(*) as order_count
    from fold.order_prints
    group by sequence
),

fates as (
    select sequence, count(*) as fate_count, bool_or(fate = 'kept') as is_counted
    from fold.print_fates
    group by sequence
)

select
    sequence,
    known.printed_at,
    case
        when known.sequence is null then 'is not on the tape'
        when fates.fate_count is null then 'has no fate'
        when fates.fate_count > 1 then 'has two fates'
        when not fates.is_counted then 'does not count, and is in an order'
        when memberships.order_count is null then 'is in no order'
        else 'is in two orders'
    end as problem
from known
full join fates using (sequence)
full join memberships using (sequence)
where known.sequence is null
    or fates.fate_count is distinct from 1
    or (fates.is_counted and memberships.order_count is distinct from 1)
    or (not fates.is_counted and memberships.order_count is not null)
order by sequence
