-- The unsigned shape of packages, see gathered_shapes. `legs_table` has one row a package, contract
-- and its numbers: package_id, contract_number (canonical order), contracts, cash_cents,
-- expiry_number, strike and option_type.
create or replace macro package_shapes(legs_table) as table
with

-- one sorted list a package: a sort inside every aggregate costs more than all the rest
gathered as (
    select
        package_id,
        list_sort(list(struct_pack(
            contract_number, expiry_number, strike, option_type, contracts, cash_cents
        ))) as legs
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
