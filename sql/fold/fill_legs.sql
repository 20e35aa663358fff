-- fold.fill_legs: every execution of a package by contract.
-- grain: fill_id, contract_number
-- reads: fold.included_prints, fold.package_prints
select
    members.fill_id,
    prints.contract_number,
    min(prints.print_number) as first_print_number,
    count(*)::integer as print_count,
    sum(prints.size)::bigint as contracts,
    sum(prints.cash_cents)::bigint as cash_cents
from fold.package_prints as members
inner join fold.included_prints as prints using (print_number)
group by members.fill_id, prints.contract_number
