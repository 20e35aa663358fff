-- The cheapest reading of each candidate package as one order. `prints_table` has one row a
-- candidate and print: package_id, contract_number, size, cash_cents, is_penny, printed_us,
-- gap_scale. Candidates that no exchange would take as one order are left out: it has two to six
-- legs (Cboe ratio limit 1:3, 1:8 with a synthetic future).
-- `cost_thousandths` weighs the structure, the net's position on its step and the time it took:
-- 'strong' = penny legs whose net is on the step, which chance alone does one time in five;
-- 'soft' = prices that would be on the step whatever the fold; 'weak' = off the step, or no name.
-- reads: tape.session
create or replace macro judged_packages(prints_table) as table
with

legs as (
    select
        package_id,
        contract_number,
        sum(size)::bigint as contracts,
        sum(cash_cents)::bigint as cash_cents,
        bool_or(is_penny) as is_penny,
        min(printed_us) as first_us,
        max(printed_us) as last_us,
        any_value(gap_scale) as gap_scale
    from query_table(prints_table)
    group by package_id, contract_number
),

-- as few columns as will do: each costs in every step to come
gathered as (
    select
        legs.package_id,
        count(*) as leg_count,
        max(legs.contracts) as most_contracts,
        max(legs.contracts) > 3 * min(legs.contracts) as is_uneven,
        count(legs.cash_cents) = count(*) as is_priced,
        bool_or(legs.is_penny) as has_penny,
        log2(1 + (max(legs.last_us) - min(legs.first_us)) / (50 * any_value(legs.gap_scale)))
            as doublings,
        list_sort(list(struct_pack(contract_number, legs.contracts, cash_cents))) as legs
    from legs
    group by legs.package_id
    having count(*) between 2 and 6 and max(legs.contracts) <= 8 * min(legs.contracts)
        and (count(*) > 2 or max(legs.contracts) <= 3 * min(legs.contracts))
),

shapes as (from gathered_shapes('gathered')),

patterns as (
    select
        patterns.*,
        net_tick_cents(session.symbol, patterns.structure) as step_cents,
        net_tick_cents(session.symbol, '') > 1 as is_penny_decisive
    from shape_patterns('shapes', false) as patterns
    cross join tape.session as session
),

read as (
    select
        shapes.package_id,
        patterns.structure,
        patterns.is_hedged_with_combo,
        patterns.pattern,
        shapes.leg_count,
        shapes.unit,
        shapes.most_contracts // shapes.unit as reduced_ratio,
        shapes.doublings,
        shapes.has_penny and patterns.is_penny_decisive as is_decisive,
        -- whole cents: exact as doubles too
        case when shapes.is_priced then
            list_inner_product(shapes.cashes, patterns.signs)::bigint
                % (patterns.step_cents * shapes.unit) = 0
        end as is_on_step
    from shapes
    inner join patterns using (shape)
    where patterns.is_hedged_with_combo or not shapes.is_uneven
),

weighed as (
    select
        *,
        case
            -- five or six legs of one size hardly meet by chance, whatever their shape
            when structure = 'custom' and leg_count >= 5 and reduced_ratio = 1 then 'soft'
            when structure = 'custom' or not coalesce(is_on_step, true) then 'weak'
            when is_decisive and structure <> 'box' then 'strong'
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
        cost_thousandths * 32 + pattern as pattern_rank
    from weighed
)

select
    package_id,
    min(cost_thousandths) as cost_thousandths,
    arg_min(evidence, pattern_rank) as evidence,
    arg_min(rarity, pattern_rank) as rarity,
    any_value(leg_count) as leg_count,
    any_value(unit) as unit
from priced
group by package_id;
