-- book.edition_flows: delta and gamma that the customer of each order bought on average, in $M of
-- index and in $M per point, with the variance of each: of all its legs, and of those of a part. An
-- order that the customer bought with probability p adds 2p - 1 of its whole package, with variance
-- 4p(1 - p) of the square of that; where its pattern is unknown, each leg errs for itself. A cross
-- adds nothing for certain. An order with an unpriced leg has no delta, or no gamma, in any part.
-- grain: edition_id, part
-- reads: book.leg_gammas, fold.edition_legs, fold.editions, tape.session
with

legs as (
    select
        legs.edition_id,
        legs.contracts,
        legs.package_sign,
        flow_parts(legs.option_type, legs.expiry = session.session_date) as parts,
        legs.contracts * gammas.delta * gammas.spot / 1e4::double as leg_delta,
        legs.contracts * gammas.gamma * gammas.spot / 1e4::double as leg_gamma
    from fold.edition_legs as legs
    inner join book.leg_gammas as gammas using (edition_id, leg_number)
    cross join tape.session as session
),

priced as (
    select
        edition_id,
        count(*) as leg_count,
        count(*) = count(leg_delta) as has_delta,
        count(*) = count(leg_gamma) as has_gamma,
        count(*) = count(package_sign) as has_pattern
    from legs
    group by edition_id
),

sided as (
    select
        priced.*,
        editions.order_id,
        editions.revision_number,
        editions.printed_at,
        coalesce(editions.side_reason = 'cross', false) as is_cross,
        coalesce(
            editions.side_probability,
            case
                when editions.sign > 0 then right_side_share(priced.leg_count)
                when editions.sign < 0 then 1 - right_side_share(priced.leg_count)
                else 0.5
            end
        )::double as bought_share,
        4 * bought_share * (1 - bought_share) as side_variance
    from priced
    inner join fold.editions as editions using (edition_id)
),

parted as (
    select
        legs.edition_id,
        unnest(legs.parts) as part,
        legs.contracts,
        sided.leg_count,
        sided.has_pattern,
        legs.package_sign * legs.leg_delta as package_delta,
        legs.package_sign * legs.leg_gamma as package_gamma,
        square(legs.leg_delta) as own_delta_square,
        square(legs.leg_gamma) as own_gamma_square,
        2 * sided.bought_share - 1 as expected_sign
    from legs
    inner join sided using (edition_id)
),

sums as (
    select
        edition_id,
        part,
        sum(contracts)::bigint as contracts,
        -- by leg, so that parts add up to the whole
        exact_sum(case when has_pattern then expected_sign * package_delta end) as delta,
        exact_sum(case when has_pattern then expected_sign * package_gamma end) as gamma,
        square(exact_sum(package_delta)) as package_delta_square,
        square(exact_sum(package_gamma)) as package_gamma_square,
        exact_square_sum(own_delta_square) as own_delta_square,
        exact_sum(own_gamma_square) as own_gamma_square
    from parted
    where leg_count > 1
    group by edition_id, part
    union all
    -- most orders are one leg: there is nothing to add up
    select
        edition_id,
        part,
        contracts::bigint,
        exact_term(case when has_pattern then expected_sign * package_delta end),
        exact_term(case when has_pattern then expected_sign * package_gamma end),
        square(exact_term(package_delta)),
        square(exact_term(package_gamma)),
        square_units(own_delta_square)::double / 1e6,
        exact_term(own_gamma_square)
    from parted
    where leg_count = 1
)

select
    sums.edition_id,
    sums.part,
    sided.order_id,
    sided.revision_number,
    sided.printed_at,
    sums.contracts,
    case when sided.has_delta then sums.contracts else 0 end as delta_contracts,
    case when sided.has_gamma then sums.contracts else 0 end as gamma_contracts,
    case when sided.has_delta and not sided.is_cross then coalesce(sums.delta, 0) else 0 end
        as delta_musd,
    case
        when not sided.has_delta or sided.is_cross then 0
        when sided.has_pattern then sided.side_variance * sums.package_delta_square
        else sums.own_delta_square
    end as delta_variance,
    case when sided.has_gamma and not sided.is_cross then coalesce(sums.gamma, 0) else 0 end
        as gamma_musd,
    case
        when not sided.has_gamma or sided.is_cross then 0
        when sided.has_pattern then sided.side_variance * sums.package_gamma_square
        else sums.own_gamma_square
    end as gamma_variance
from sums
inner join sided using (edition_id)
