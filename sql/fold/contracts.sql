-- fold.contracts: the contracts that traded, with a number that encodes expiry, strike and type.
-- grain: contract_number
-- reads: fold.included_prints, tape.prints
with

firsts as (
    select contract_number, min(sequence) as sequence
    from fold.included_prints
    group by contract_number
)

select
    firsts.contract_number,
    prints.root,
    prints.expiry,
    prints.strike,
    prints.option_type
from firsts
inner join tape.prints as prints using (sequence)
order by contract_number
