-- fold.fill_legs: every execution by contract: fills of packages, bursts of single prints.
-- grain: fill_id, contract_number
-- reads: fold.bursts, fold.contracts, fold.fill_prints, fold.kept_prints
with

members as (
    select print_number, fill_id from fold.fill_prints
    union all
    select print_number, burst_id from fold.bursts
)

select
    members.fill_id,
    prints.contract_number,
    any_value(contracts.expiry_number) as expiry_number,
    any_value(contracts.strike) as strike,
    any_value(contracts.option_type) as option_type,
    min(prints.print_number) as first_print_number,
    count(*)::integer as print_count,
    sum(prints.size)::bigint as contracts,
    sum(prints.cash_cents)::bigint as cash_cents
from members
inner join fold.kept_prints as prints using (print_number)
inner join fold.contracts as contracts using (contract_number)
group by members.fill_id, prints.contract_number
