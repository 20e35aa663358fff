-- The unsigned shape of packages. `legs_table` has one row a package, contract and its numbers:
-- package_id, contract_number (canonical order), contracts, cash_cents, expiry_number, strike and
-- option_type.
-- Shapes with the same `shape` text have the same possible names, whatever their strikes.
create or replace macro width_class(k) as
    case
        when len(k) = 3 and k[2] - k[1] = k[3] - k[2] then 'even'
        when len(k) = 3 and k[2] - k[1] = 2 * (k[3] - k[2]) then 'left'
        when len(k) = 3 and 2 * (k[2] - k[1]) = k[3] - k[2] then 'right'
        when len(k) = 4 and k[2] - k[1] = k[4] - k[3] then 'even'
        else 'other'
    end;

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
),

measured as (
    select
        package_id,
        legs,
        list_reduce([leg.contracts for leg in legs], lambda a, b: gcd(a, b)) as unit,
        list_sort(list_distinct([leg.expiry_number for leg in legs])) as expiry_order,
        list_sort(list_distinct([leg.strike for leg in legs])) as strike_order,
        -- a call and a put of one strike and equal size may be a synthetic future
        case when len(legs) > 2 then [
            leg for leg in legs
            if len([
                1 for other in legs
                if other.expiry_number = leg.expiry_number and other.strike = leg.strike
                    and other.contracts = leg.contracts
            ]) = 1
        ] end as untwinned
    from gathered
),

listed as (
    select
        package_id,
        unit,
        [leg.contract_number for leg in legs] as contract_numbers,
        [leg.option_type for leg in legs] as types,
        [list_position(expiry_order, leg.expiry_number) for leg in legs] as expiries,
        [list_position(strike_order, leg.strike) for leg in legs] as strikes,
        [(leg.contracts // unit)::integer for leg in legs] as ratios,
        [leg.cash_cents for leg in legs] as cashes,
        width_class([
            leg.strike
            for leg in case when len(legs) - len(untwinned) = 2 then untwinned else legs end
        ]) as width
    from measured
)

select
    package_id,
    unit,
    concat_ws(
        ' ', array_to_string(types, ''), array_to_string(expiries, ','),
        array_to_string(strikes, ','), array_to_string(ratios, ','), width
    ) as shape,
    contract_numbers,
    types,
    expiries,
    strikes,
    ratios,
    width,
    cashes
from listed;
