-- views.order_payoff: value of one version of an order over levels of the index, as its customer holds
-- it, or where the side is not known as one who bought it would, in $M: at its minute, half the way to
-- its first expiration, and at that. Each strike keeps the volatility of the minute; the forward moves
-- with the index in proportion, and its carry runs off with the time. A value is null where a leg has
-- no volatility, no forward, or no sign.
-- grain: elapsed_share
-- reads: ledger.forwards, ledger.legs, ledger.orders, ledger.revision_legs, ledger.revisions
-- param: revision_number
with

versions as (
    select revision_number, spot from ledger.orders
    union
    select revision_number, spot from ledger.revisions
),

version_legs as (
    select * from ledger.legs
    union by name
    select * from ledger.revision_legs
),

legs as (
    select
        legs.leg_number,
        legs.strike,
        legs.option_type,
        legs.contracts,
        coalesce(nullif(legs.customer_sign, 0), legs.package_sign) as held_sign,
        legs.implied_vol,
        versions.spot,
        forwards.forward,
        forwards.discount,
        forwards.seconds_left
    from version_legs as legs
    inner join versions using (revision_number)
    left join ledger.forwards as forwards
        on forwards.root = legs.root and forwards.expiry = legs.expiry
    where legs.revision_number = $revision_number::integer
),

bounds as (
    select
        any_value(spot) as spot,
        least(min(strike), any_value(spot)) as lowest,
        greatest(max(strike), any_value(spot)) as highest,
        min(seconds_left) as first_left,
        greatest(
            0.005::double * any_value(spot),
            0.5::double * (max(strike) - min(strike)),
            1.5::double * any_value(spot) * max(implied_vol)
            * sqrt(years_of_seconds(min(seconds_left)))
        ) as pad
    from legs
),

points as (
    select lowest - pad + (highest - lowest + 2 * pad) * unnest(range(61)) / 60 as index_point
    from bounds
    union
    -- the value bends there at expiration
    select strike from legs
),

priced as (
    select
        shares.elapsed_share,
        points.index_point,
        legs.spot,
        legs.seconds_left - shares.elapsed_share * bounds.first_left as left_then,
        left_then / legs.seconds_left as left_share,
        points.index_point * power(legs.forward / legs.spot, left_share) as forward_then,
        power(legs.discount, left_share) as discount_then,
        legs.held_sign * legs.contracts * case
            when left_then > 0 then black76_price(
                forward_then,
                legs.strike,
                discount_then,
                legs.implied_vol,
                years_of_seconds(left_then),
                legs.option_type
            )
            when legs.implied_vol is not null then black76_intrinsic(
                points.index_point, legs.strike, 1::double, legs.option_type
            )
        end / 1e4::double as leg_musd
    from legs
    cross join bounds
    cross join points
    cross join (select unnest([0, 0.5::double, 1]) as elapsed_share) as shares
),

sums as (
    select
        elapsed_share,
        index_point,
        any_value(spot) as spot,
        case when count(*) = count(leg_musd) then exact_sum(leg_musd) end as value_musd
    from priced
    group by elapsed_share, index_point
)

select
    elapsed_share,
    any_value(spot) as spot,
    list(index_point order by index_point) as points,
    list(value_musd order by index_point) as values_musd
from sums
group by elapsed_share
order by elapsed_share
