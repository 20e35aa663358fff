-- book.doubts: what each order of the session may have added to the dealers' book other than what
-- its reading says, as contracts of one standard deviation. A side read right with probability p is
-- off by twice the contracts else: variance 4 (1 - p); an undecided side is off by the contracts.
-- Crosses have customers on both sides and add nothing. Legs of one package err together; where its
-- pattern is not known, each leg errs for itself.
-- grain: order_id, leg_number
-- reads: fold.legs, fold.parent_orders, tape.minutes
with

legs as (
    select
        legs.order_id,
        legs.leg_number,
        legs.root,
        legs.expiry,
        legs.strike,
        legs.contracts,
        legs.customer_sign,
        case when legs.customer_sign <> 0 then legs.customer_sign else legs.package_sign end
            as pattern_sign,
        count(*) over one_order as leg_count,
        sum(legs.contracts) over one_order as order_contracts,
        bool_and(legs.customer_sign <> 0 or legs.package_sign is not null) over one_order
            as has_pattern,
        -- without a probability of its own an order counts as the average of its kind
        coalesce(
            case
                when parent_orders.sign > 0 then parent_orders.side_probability
                when parent_orders.sign < 0 then 1 - parent_orders.side_probability
            end,
            right_side_share(count(*) over one_order)
        ) as right_share,
        greatest(parent_orders.visible_at, parent_orders.known_at) as usable_at,
    from fold.legs as legs
    join fold.parent_orders as parent_orders using (order_id)
    where parent_orders.side_reason is distinct from 'cross'
    window one_order as (partition by legs.order_id)
),

weighed as (
    select
        *,
        case
            when customer_sign <> 0 then 4 * (1.0::double - right_share)
            else 1.0::double
        end as variance,
    from legs
)

select
    weighed.order_id,
    weighed.leg_number,
    case when weighed.has_pattern then 0 else weighed.leg_number end as error_number,
    weighed.leg_count > 1
        and weighed.has_pattern
        and weighed.order_contracts >= bar_order_contracts() as is_package,
    weighed.root,
    weighed.expiry,
    weighed.strike,
    weighed.contracts * sqrt(weighed.variance)
        * coalesce(weighed.pattern_sign, 1) as doubtful_contracts,
    minutes.minute_at,
from weighed
asof join tape.minutes as minutes on weighed.usable_at < minutes.minute_at
