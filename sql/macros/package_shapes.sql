-- The unsigned shape of packages. `legs_table` has one row a package, contract and its numbers:
-- package_id, contract_number (canonical order), contracts, expiry_number, strike, option_type.
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

units as (
    select package_id, list_reduce(list(contracts), lambda a, b: gcd(a, b)) as unit
    from query_table(legs_table)
    group by package_id
),

ranked as (
    select
        legs.package_id,
        legs.contract_number,
        legs.option_type,
        legs.strike,
        units.unit,
        legs.contracts // units.unit as ratio,
        dense_rank() over (
            partition by legs.package_id order by legs.expiry_number
        ) as expiry_rank,
        dense_rank() over (partition by legs.package_id order by legs.strike) as strike_rank,
        -- a call and a put of one strike and equal size may be a synthetic future
        count(*) over twins = 2 and min(legs.contracts) over twins = max(legs.contracts) over twins
            as is_twin
    from query_table(legs_table) as legs
    inner join units using (package_id)
    window twins as (partition by legs.package_id, legs.expiry_number, legs.strike)
),

listed as (
    select
        package_id,
        any_value(unit) as unit,
        list(option_type order by contract_number) as types,
        list(expiry_rank::integer order by contract_number) as expiries,
        list(strike_rank::integer order by contract_number) as strikes,
        list(ratio::integer order by contract_number) as ratios,
        count(*) filter (where is_twin) = 2 as has_twins,
        list(strike order by contract_number) as all_strikes,
        list(strike order by contract_number) filter (where not is_twin) as other_strikes
    from ranked
    group by package_id
),

classed as (
    select
        *,
        width_class(case when has_twins then other_strikes else all_strikes end) as width
    from listed
)

select
    package_id,
    unit,
    concat_ws(
        ' ', array_to_string(types, ''), array_to_string(expiries, ','),
        array_to_string(strikes, ','), array_to_string(ratios, ','), width
    ) as shape,
    types,
    expiries,
    strikes,
    ratios,
    width
from classed;
