-- The unsigned shape of packages, see gathered_shapes. `legs_table` has one row a package, contract
-- and its numbers: package_id, contract_number (see contract_number_of), contracts, cash_cents.
create or replace macro package_shapes(legs_table) as table
with

-- one sorted list a package: a sort inside every aggregate costs more than all the rest
gathered as (
    select
        package_id,
        list_sort(list(struct_pack(contract_number, contracts, cash_cents))) as legs
    from query_table(legs_table)
    group by package_id
)

select
    package_id,
    unit,
    shape,
    contract_numbers,
    types,
    expiries,
    strikes,
    ratios,
    width,
    cashes
from gathered_shapes('gathered');
