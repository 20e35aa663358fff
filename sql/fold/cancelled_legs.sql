-- fold.cancelled_legs: legs left alone because another leg of their package was cancelled: within
-- the widest gap of the ladder stands a cancelled leg print of another contract.
-- grain: parent_id
-- reads: fold.contracts, fold.kept_prints, fold.order_members, fold.print_fates, tape.conditions, tape.prints, tape.session
-- param: widest_gap_us
with

cancelled as (
    select prints.*, epoch_us(prints.printed_at) as printed_us
    from tape.prints as prints
    inner join tape.session as session using (session_date)
    inner join fold.print_fates as fates using (sequence)
    inner join tape.conditions as conditions on conditions.letter = prints.condition
    where fates.fate = 'cancelled' and conditions.is_multi_leg
),

orphans as (
    select members.parent_id, prints.*, contracts.* exclude (contract_number)
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
    inner join fold.contracts as contracts using (contract_number)
    where members.fold_rule = 'orphan'
)

select distinct orphans.parent_id
from orphans
inner join cancelled
    on abs(cancelled.printed_us - orphans.printed_us) <= $widest_gap_us::bigint
        * case when orphans.print_class in ('floor', 'legacy') then 200 else 1 end
    and coalesce(cancelled.exchange, '') = orphans.exchange
    and (cancelled.root, cancelled.expiry, cancelled.strike, cancelled.option_type)
        <> (orphans.root, orphans.expiry, orphans.strike, orphans.option_type)
