-- book.deviations: standard deviation of each order's contribution to the dealer book, in contracts.
-- Crosses add nothing. Legs of one package err together; where its pattern is unknown, each leg
-- errs for itself. A superseded version is taken back when its successor arrives: its weight is
-- minus one.
-- grain: edition_id, leg_number, weight
-- reads: book.leg_sides, tape.minutes
with

-- most orders are one leg: there is nothing to gather
packages as (
    select
        edition_id,
        sum(contracts) as order_contracts,
        bool_and(customer_sign <> 0 or package_sign is not null) as has_pattern
    from book.leg_sides
    where leg_count > 1
    group by edition_id
),

legs as (
    select
        sides.*,
        case when sides.customer_sign <> 0 then sides.customer_sign else sides.package_sign end
            as pattern_sign,
        coalesce(packages.order_contracts, sides.contracts) as order_contracts,
        coalesce(
            packages.has_pattern, sides.customer_sign <> 0 or sides.package_sign is not null
        ) as has_pattern
    from book.leg_sides as sides
    left join packages using (edition_id)
    where not sides.is_cross
),

dated as (
    select *, 1 as weight, visible_at as usable_at from legs
    union all
    select *, -1, superseded_at from legs where superseded_at is not null
)

select
    dated.edition_id,
    dated.leg_number,
    dated.weight,
    case when dated.has_pattern then 0 else dated.leg_number end as error_number,
    dated.leg_count > 1
        and dated.has_pattern
        and dated.order_contracts >= bar_order_contracts() as is_package,
    dated.root,
    dated.expiry,
    dated.strike,
    dated.contracts * sqrt(dated.side_variance)
        * coalesce(dated.pattern_sign, 1) as deviation_contracts,
    minutes.minute_at
from dated
asof join tape.minutes as minutes on dated.usable_at < minutes.minute_at
