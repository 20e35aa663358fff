-- The cheapest reading of each candidate package as one order. `prints_table` has one row a
-- candidate and print: package_id, contract_number, size, cash_cents, is_penny, printed_us,
-- lane_scale. Candidates that no exchange would take as one order are left out: it has two to six
-- legs (Cboe ratio limit 1:3, 1:8 beside a synthetic future).
-- `cost_thousandths` weighs the structure, the net's place on its step and the time it took:
-- 'strong' = penny legs whose net is on the step, which chance alone does one time in five;
-- 'soft' = prices that would be on the step whatever the fold; 'weak' = off the step, or no name.
create or replace macro judged_packages(prints_table, symbol) as table
with

prints as (select * from query_table(prints_table)),

all_legs as (
    select
        package_id,
        contract_number,
        sum(size)::bigint as contracts,
        sum(cash_cents)::bigint as cash_cents
    from prints
    group by package_id, contract_number
),

sized as (
    select
        package_id,
        count(*) as leg_count,
        max(contracts) / min(contracts) as longest_ratio,
        count(cash_cents) = count(*) as is_priced
    from all_legs
    group by package_id
    having count(*) between 2 and 6 and max(contracts) <= 8 * min(contracts)
        and (count(*) > 2 or max(contracts) <= 3 * min(contracts))
),

timed as (
    select
        package_id,
        bool_or(is_penny) and net_tick_cents(symbol, '') > 1 as is_telling,
        log2(1 + (max(printed_us) - min(printed_us)) / (50 * any_value(lane_scale))) as doublings
    from prints
    group by package_id
),

legs as (
    select all_legs.*, contracts.expiry_number, contracts.strike, contracts.option_type
    from all_legs
    inner join sized using (package_id)
    inner join fold.contracts as contracts using (contract_number)
),

shapes as (from package_shapes('legs')),

patterns as (from shape_patterns('shapes', false)),

read as (
    select
        package_id,
        patterns.structure,
        patterns.is_hedged_with_combo,
        patterns.pattern,
        sized.leg_count,
        sized.longest_ratio,
        shapes.unit,
        list_max(shapes.ratios) as reduced_ratio,
        timed.doublings,
        timed.is_telling,
        -- whole cents: exact as doubles too
        case when sized.is_priced then
            list_inner_product(shapes.cashes, patterns.signs)::bigint
                % (net_tick_cents(symbol, patterns.structure) * shapes.unit) = 0
        end as is_on_step
    from sized
    inner join shapes using (package_id)
    inner join timed using (package_id)
    inner join patterns using (shape)
    where patterns.is_hedged_with_combo or sized.longest_ratio <= 3
),

weighed as (
    select
        *,
        case
            -- five or six legs of one size hardly meet by chance, whatever their shape
            when structure = 'custom' and leg_count >= 5 and reduced_ratio = 1 then 'soft'
            when structure = 'custom' or not coalesce(is_on_step, true) then 'weak'
            when is_telling and structure <> 'box' then 'strong'
            else 'soft'
        end as evidence,
        case
            when structure = 'custom' and leg_count >= 5 and reduced_ratio = 1 then 600
            when structure = 'custom' then 0
            else structure_cost(structure, is_hedged_with_combo, reduced_ratio)
        end as rarity
    from read
),

priced as (
    select
        package_id,
        leg_count,
        unit,
        evidence,
        rarity,
        case evidence when 'strong' then 1000 when 'soft' then 1500 else 3200 end
        + rarity
        + round(100 * doublings)::integer as cost_thousandths,
        -- the cheapest reading, the first pattern of equals: there are at most 32
        cost_thousandths * 32 + pattern as place
    from weighed
)

select
    package_id,
    min(cost_thousandths) as cost_thousandths,
    arg_min(evidence, place) as evidence,
    arg_min(rarity, place) as rarity,
    any_value(leg_count) as leg_count,
    any_value(unit) as unit
from priced
group by package_id;
