-- fold.contracts: what traded, numbered in canonical order: expiry, strike, C before P.
-- grain: contract_number
-- reads: fold.print_fates, tape.prints, tape.session
with

traded as (
    select distinct prints.root, prints.expiry, prints.strike, prints.option_type
    from tape.prints as prints
    inner join tape.session as session using (session_date)
    inner join fold.print_fates as fates using (sequence)
    where fates.fate = 'kept'
)

select
    row_number() over canonical as contract_number,
    -- SPX of a Friday settles in the morning, SPXW in the evening: two expiries
    dense_rank() over (order by expiry, root) as expiry_number,
    root,
    expiry,
    strike,
    option_type
from traded
window canonical as (order by expiry, root, strike, option_type)
