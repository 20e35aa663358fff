-- views.evidence_legs: the contracts of one order in each of its versions.
-- grain: revision_number, leg_number
-- reads: ledger.legs, ledger.revision_legs
with

-- a running session has the legs of an ended version in both
versions as (
    select * from ledger.legs
    anti join ledger.revision_legs using (order_id, revision_number, leg_number)
    union all by name
    select * from ledger.revision_legs
)

select
    revision_number,
    leg_number,
    root,
    expiry::varchar as expiry,
    strike,
    option_type,
    ratio,
    contracts,
    customer_sign,
    average_price,
    implied_vol,
    gamma,
    side_probability
from versions
order by revision_number, leg_number
