-- book.deviations: standard deviation of each order's contribution to the dealer book, in
-- contracts. A side read right with probability p is otherwise off by twice the contracts: variance
-- 4 (1 - p); an undecided side is off by the contracts. Crosses have customers on both sides and
-- add nothing. Legs of one package err together; where its pattern is unknown, each leg errs for
-- itself. A superseded version is taken back when its successor arrives: its weight is minus one.
-- grain: edition_id, leg_number, weight
-- reads: fold.edition_legs, fold.editions, tape.minutes
with

second_legs as (
    select edition_id from fold.edition_legs where leg_number = 2
),

-- most orders are one leg: there is nothing to gather
packages as (
    select
        edition_id,
        count(*) as leg_count,
        sum(contracts) as order_contracts,
        bool_and(customer_sign <> 0 or package_sign is not null) as has_pattern
    from fold.edition_legs
    semi join second_legs using (edition_id)
    group by edition_id
),

legs as (
    select
        legs.edition_id,
        legs.leg_number,
        legs.root,
        legs.expiry,
        legs.strike,
        legs.contracts,
        legs.customer_sign,
        case when legs.customer_sign <> 0 then legs.customer_sign else legs.package_sign end
            as pattern_sign,
        coalesce(packages.leg_count, 1) as leg_count,
        coalesce(packages.order_contracts, legs.contracts) as order_contracts,
        coalesce(
            packages.has_pattern, legs.customer_sign <> 0 or legs.package_sign is not null
        ) as has_pattern,
        -- without a probability of its own an order counts as the average of its kind
        coalesce(
            case
                when editions.sign > 0 then editions.side_probability
                when editions.sign < 0 then 1 - editions.side_probability
            end,
            right_side_share(coalesce(packages.leg_count, 1))
        ) as right_share,
        editions.visible_at,
        editions.superseded_at
    from fold.edition_legs as legs
    inner join fold.editions as editions using (edition_id)
    left join packages using (edition_id)
    where editions.side_reason is distinct from 'cross'
),

dated as (
    select *, 1 as weight, visible_at as usable_at from legs
    union all
    select *, -1, superseded_at from legs where superseded_at is not null
),

weighed as (
    select
        *,
        case
            when customer_sign <> 0 then 4 * (1.0::double - right_share)
            else 1.0::double
        end as variance
    from dated
)

select
    weighed.edition_id,
    weighed.leg_number,
    weighed.weight,
    case when weighed.has_pattern then 0 else weighed.leg_number end as error_number,
    weighed.leg_count > 1
        and weighed.has_pattern
        and weighed.order_contracts >= bar_order_contracts() as is_package,
    weighed.root,
    weighed.expiry,
    weighed.strike,
    weighed.contracts * sqrt(weighed.variance)
        * coalesce(weighed.pattern_sign, 1) as deviation_contracts,
    minutes.minute_at
from weighed
asof join tape.minutes as minutes on weighed.usable_at < minutes.minute_at
