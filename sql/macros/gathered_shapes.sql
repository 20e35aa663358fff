-- The unsigned shape of packages. `packages_table` has one row a package with its `legs`: a list,
-- sorted by contract_number (see contract_number_of), of contract_number, contracts and cash_cents.
-- Its other columns are passed on.
-- Shapes with the same `shape` text have the same possible names, whatever their strikes.
create or replace macro width_class(k) as
    case
        when len(k) = 3 and k[2] - k[1] = k[3] - k[2] then 'even'
        when len(k) = 3 and k[2] - k[1] = 2 * (k[3] - k[2]) then 'left'
        when len(k) = 3 and 2 * (k[2] - k[1]) = k[3] - k[2] then 'right'
        when len(k) = 4 and k[2] - k[1] = k[4] - k[3] then 'even'
        else 'other'
    end;

create or replace macro gathered_shapes(packages_table) as table
with

columned as (
    select
        * exclude (legs),
        [leg.contract_number for leg in legs] as contract_numbers,
        [expiry_number_of(leg.contract_number) for leg in legs] as expiry_numbers,
        [strike_millionths_of(leg.contract_number) for leg in legs] as leg_strikes,
        [option_type_of(leg.contract_number) for leg in legs] as types,
        [leg.contracts for leg in legs] as contracts,
        [leg.cash_cents for leg in legs] as cashes
    from query_table(packages_table)
),

measured as (
    select
        *,
        list_reduce(contracts, lambda a, b: gcd(a, b)) as unit,
        -- in canonical order the expiries ascend, and the strikes of one expiry
        case
            when expiry_numbers[1] = expiry_numbers[-1] then leg_strikes
            else list_sort(leg_strikes)
        end as strike_order,
        -- a call and a put of one strike and equal size may be a synthetic future; they are
        -- neighbours, and here is the first of them
        case when len(types) > 2 then [
            leg for leg in range(1, len(types))
            if expiry_numbers[leg] = expiry_numbers[leg + 1]
                and leg_strikes[leg] = leg_strikes[leg + 1]
                and contracts[leg] = contracts[leg + 1]
        ] end as twins
    from columned
),

listed as (
    select
        * exclude (expiry_numbers, leg_strikes, contracts, strike_order, twins),
        [list_position(expiry_numbers, number) for number in expiry_numbers] as expiries,
        [list_position(strike_order, strike) for strike in leg_strikes] as strikes,
        [(contract // unit)::integer for contract in contracts] as ratios,
        width_class(case
            when len(twins) = 1 then
                leg_strikes[:twins[1] - 1] || leg_strikes[twins[1] + 2:]
            else leg_strikes
        end) as width
    from measured
)

select
    *,
    concat_ws(
        ' ', array_to_string(types, ''), array_to_string(expiries, ','),
        array_to_string(strikes, ','), array_to_string(ratios, ','), width
    ) as shape
from listed;
