-- fold.contracts: what traded, with a number that says expiry, strike and type.
-- grain: contract_number
-- reads: fold.print_fates, tape.prints, tape.session
with

traded as (
    select distinct prints.root, prints.expiry, prints.strike, prints.option_type
    from tape.prints as prints
    inner join tape.session as session using (session_date)
    inner join fold.print_fates as fates using (sequence)
    where fates.fate = 'kept'
),

numbered as (
    select
        *,
        -- SPX of a Friday settles in the morning, SPXW in the evening: two expiries
        dense_rank() over (order by expiry, root) as expiry_number
    from traded
)

select
    contract_number_of(expiry_number, strike, option_type) as contract_number,
    root,
    expiry,
    strike,
    option_type
from numbered
order by contract_number
