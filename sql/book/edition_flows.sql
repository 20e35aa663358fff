-- book.edition_flows: delta and gamma that the customer of each order bought on average, in $M of
-- index and in $M per point, with the variance of each: of all its legs, and of those of a part. An
-- order that the customer bought with probability p adds 2p - 1 of its whole package, with variance
-- 4p(1 - p) of the square of that; where its pattern is unknown, each leg errs for itself. A cross
-- adds nothing for certain. A leg beyond the quoted strikes has an error of its own. An order with a
-- leg of which nothing is known has no delta, or no gamma, in any part.
-- An order of one leg is one row with all of its parts, a package one row for each part. Its class,
-- that of its first leg, shares two errors: how many customers buy, by how much one logit more moves
-- delta, or gamma; and how often a side is right, by how much one standard deviation of it does.
-- grain: edition_id, parts
-- reads: book.leg_gammas, fold.edition_legs, fold.editions, tape.expiries, tape.session
with

second_legs as (
    select edition_id from fold.edition_legs where leg_number = 2
),

legs as materialized (
    select
        legs.edition_id,
        legs.leg_number,
        flow_class(legs.option_type, expiries.ends_on = session.session_date) as flow_class,
        legs.contracts,
        legs.package_sign,
        second_legs.edition_id is not null as is_package,
        flow_parts(legs.option_type, expiries.ends_on = session.session_date) as parts,
        legs.contracts * gammas.delta * gammas.spot / 1e4::double as leg_delta,
        legs.contracts
        * case when gammas.gamma_error is not null then coalesce(gammas.gamma, 0) end
        * gammas.spot
        / 1e4::double as leg_gamma,
        square(legs.contracts * gammas.delta_error * gammas.spot / 1e4::double) as delta_error,
        square(legs.contracts * gammas.gamma_error * gammas.spot / 1e4::double) as gamma_error
    from fold.edition_legs as legs
    inner join book.leg_gammas as gammas using (edition_id, leg_number)
    inner join tape.expiries as expiries using (root, expiry)
    left join second_legs using (edition_id)
    cross join tape.session as session
),

priced as (
    select
        edition_id,
        any_value(flow_class) filter (where leg_number = 1) as flow_class,
        count(*) as leg_count,
        count(*) = count(leg_delta) as has_delta,
        count(*) = count(leg_gamma) as has_gamma,
        count(*) = count(package_sign) as has_pattern
    from legs
    where is_package
    group by edition_id
),

packages as (
    select
        priced.*,
        editions.order_id,
        editions.revision_number,
        editions.printed_at,
        coalesce(editions.side_reason = 'cross', false) as is_cross,
        bought_share(editions.side_probability, editions.sign) as bought_share,
        -- what one logit of the order's probability moves
        if(is_cross or not has_pattern, 0, 2 * bought_share * (1 - bought_share)) as logit_slope,
        coalesce(editions.side_deviation, sign(editions.sign) * rate_deviation()) as side_deviation
    from priced
    inner join fold.editions as editions using (edition_id)
),

parted as (
    select
        legs.edition_id,
        unnest(legs.parts) as part,
        legs.contracts,
        packages.has_pattern,
        legs.package_sign * legs.leg_delta as package_delta,
        legs.package_sign * legs.leg_gamma as package_gamma,
        square(legs.leg_delta) as own_delta_square,
        square(legs.leg_gamma) as own_gamma_square,
        legs.delta_error,
        legs.gamma_error,
        2 * packages.bought_share - 1 as expected_sign,
        packages.logit_slope
    from legs
    inner join packages using (edition_id)
    where legs.is_package
),

package_sums as (
    select
        edition_id,
        part,
        sum(contracts)::bigint as contracts,
        -- by leg, so that parts add up to the whole
        exact_sum(case when has_pattern then expected_sign * package_delta end) as delta,
        exact_sum(case when has_pattern then expected_sign * package_gamma end) as gamma,
        exact_sum(package_delta) as package_delta,
        exact_sum(package_gamma) as package_gamma,
        exact_square_sum(logit_slope * package_delta) as delta_slope,
        exact_square_sum(logit_slope * package_gamma) as gamma_slope,
        exact_square_sum(own_delta_square) as own_delta_square,
        exact_sum(own_gamma_square) as own_gamma_square,
        exact_square_sum(delta_error) as delta_error,
        exact_sum(gamma_error) as gamma_error
    from parted
    group by edition_id, part
),

-- most orders are one leg: there is nothing to add up
singles as (
    select
        legs.edition_id,
        array_to_string(legs.parts, ' ') as parts,
        legs.flow_class,
        editions.order_id,
        editions.revision_number,
        editions.printed_at,
        coalesce(editions.side_reason = 'cross', false) as is_cross,
        legs.package_sign is not null as has_pattern,
        legs.leg_delta is not null as has_delta,
        legs.leg_gamma is not null as has_gamma,
        bought_share(editions.side_probability, editions.sign) as bought_share,
        coalesce(editions.side_deviation, sign(editions.sign) * rate_deviation()) as side_deviation,
        2 * bought_share - 1 as expected_sign,
        if(is_cross or not has_pattern, 0, 2 * bought_share * (1 - bought_share)) as logit_slope,
        legs.contracts::bigint as contracts,
        legs.leg_delta,
        legs.leg_gamma,
        legs.package_sign * legs.leg_delta as package_delta,
        legs.package_sign * legs.leg_gamma as package_gamma,
        legs.delta_error,
        legs.gamma_error
    from legs
    inner join fold.editions as editions using (edition_id)
    where not legs.is_package
),

sums as (
    select
        package_sums.* exclude (part),
        package_sums.part as parts,
        packages.* exclude (edition_id, leg_count)
    from package_sums
    inner join packages using (edition_id)
    union all by name
    select
        edition_id,
        parts,
        flow_class,
        order_id,
        revision_number,
        printed_at,
        is_cross,
        has_pattern,
        has_delta,
        has_gamma,
        bought_share,
        side_deviation,
        contracts,
        exact_term(case when has_pattern then expected_sign * package_delta end) as delta,
        exact_term(case when has_pattern then expected_sign * package_gamma end) as gamma,
        exact_term(package_delta) as package_delta,
        exact_term(package_gamma) as package_gamma,
        square_units(logit_slope * package_delta)::double / 1e6 as delta_slope,
        square_units(logit_slope * package_gamma)::double / 1e6 as gamma_slope,
        square_units(square(leg_delta))::double / 1e6 as own_delta_square,
        exact_term(square(leg_gamma)) as own_gamma_square,
        square_units(delta_error)::double / 1e6 as delta_error,
        exact_term(gamma_error) as gamma_error
    from singles
)

select
    edition_id,
    parts,
    flow_class,
    order_id,
    revision_number,
    printed_at,
    contracts,
    case when has_delta then contracts else 0 end as delta_contracts,
    case when has_gamma then contracts else 0 end as gamma_contracts,
    case when has_delta and not is_cross then coalesce(delta, 0) else 0 end as delta_musd,
    case
        when not has_delta or is_cross then 0
        when has_pattern
            then 4 * bought_share * (1 - bought_share) * square(package_delta) + delta_error
        else own_delta_square + delta_error
    end as delta_variance,
    case when has_gamma and not is_cross then coalesce(gamma, 0) else 0 end as gamma_musd,
    case
        when not has_gamma or is_cross then 0
        when has_pattern
            then 4 * bought_share * (1 - bought_share) * square(package_gamma) + gamma_error
        else own_gamma_square + gamma_error
    end as gamma_variance,
    case when has_delta then coalesce(delta_slope, 0) else 0 end as delta_balance,
    case when has_delta then coalesce(side_deviation * delta_slope, 0) else 0 end as delta_rate,
    case when has_gamma then coalesce(gamma_slope, 0) else 0 end as gamma_balance,
    case when has_gamma then coalesce(side_deviation * gamma_slope, 0) else 0 end as gamma_rate
from sums
