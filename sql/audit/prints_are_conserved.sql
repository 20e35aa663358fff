-- A fold may group prints, but it never loses or invents a contract: contracts on the tape are
-- contracts in orders plus contracts left out with a fate that says why.
-- A print that became known after the session, as a correction days later, is not part of it.
-- reads: fold.legs, fold.order_prints, fold.print_fates, tape.prints, tape.session
with

tape_side as (
    select count(*) as print_count, coalesce(sum(prints.size), 0) as contract_count
    from tape.prints as prints
    inner join tape.session as session
        on session.session_date = prints.session_date and prints.known_at < session.known_until
),

fate_side as (
    select
        count(*) as print_count,
        coalesce(sum(size), 0) as contract_count,
        count(*) filter (where fate = 'kept') as kept_count,
        coalesce(sum(size) filter (where fate = 'kept'), 0) as kept_contract_count
    from fold.print_fates
),

order_side as (
    select count(*) as print_count, count(distinct sequence) as sequence_count
    from fold.order_prints
),

leg_side as (
    select coalesce(sum(contracts), 0) as contract_count from fold.legs
)

select tape_side.*, fate_side.*, order_side.*, leg_side.contract_count as leg_contract_count
from tape_side
cross join fate_side
cross join order_side
cross join leg_side
where
    tape_side.print_count <> fate_side.print_count
    or tape_side.contract_count <> fate_side.contract_count
    or order_side.print_count <> fate_side.kept_count
    or order_side.sequence_count <> order_side.print_count
    or leg_side.contract_count <> fate_side.kept_contract_count
