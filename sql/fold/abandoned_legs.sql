-- fold.abandoned_legs: legs left alone because another leg of their package was cancelled: within
-- the widest gap of the ladder stands a cancelled leg print of another contract.
-- grain: parent_id
-- reads: fold.cancelled_legs, fold.contracts, fold.included_prints, fold.order_members
-- param: widest_gap_us
with

orphans as (
    select members.parent_id, prints.*, contracts.* exclude (contract_number)
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
    inner join fold.contracts as contracts using (contract_number)
    where members.fold_rule = 'orphan'
)

select distinct orphans.parent_id
from orphans
inner join fold.cancelled_legs as cancelled
    on cancelled.exchange = orphans.exchange
    and cancelled.is_slow = is_slow_class(orphans.print_class)
    and abs(cancelled.printed_us - orphans.printed_us) <= $widest_gap_us::bigint
        * case when is_slow_class(orphans.print_class) then 200 else 1 end
    and (cancelled.root, cancelled.expiry, cancelled.strike, cancelled.option_type)
        <> (orphans.root, orphans.expiry, orphans.strike, orphans.option_type)
