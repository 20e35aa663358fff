-- book.exposures: dealers' delta, gamma, vanna and charm by strike and expiry, for each book, with
-- one standard deviation of each: at the first state and every fifth minute. The deviation is what is not known of the positions, not the noise of quotes. A
-- strike more than the scan off the spot has no row of its own: those of an expiry are one, with a
-- null strike. Legs of one package count as independent here. Units: see macros/strike_exposures.sql.
-- grain: minute_at, book_basis, root, expiry, strike
-- reads: book.holdings, book.pairs, book.positions, surface.forwards, tape.guess_shares, tape.minutes
with

shares as (
    select
        any_value(share) filter (kind = 'common') as common_share,
        any_value(share) filter (kind = 'own') as own_share
    from tape.guess_shares
),

minutes as (select minute_at from tape.minutes where has_exposures(minute_et)),

priced as materialized (
    select
        positions.minute_at,
        pairs.root,
        pairs.expiry,
        case
            when abs(pairs.strike - forwards.spot) <= scan_steps() * scan_point(forwards.spot)
                then pairs.strike
        end as strike,
        positions.peak_musd
        * gamma_shape(positions.d1, 1 / positions.deviation, 0::double) as gamma,
        vanna_musd_per_vol_point(
            forwards.forward, forwards.discount, positions.d1, positions.deviation, forwards.years
        ) as vanna,
        normal_cdf(positions.d1) as forward_delta,
        call_delta_musd(forwards.forward, forwards.discount, forward_delta) as call_delta,
        call_delta - parity_delta_musd(forwards.forward, forwards.discount) as put_delta,
        call_charm_musd_per_day(
            forwards.spot,
            forwards.forward,
            forwards.discount,
            positions.d1,
            positions.deviation,
            forwards.years,
            forward_delta
        ) as call_charm,
        call_charm
        - parity_charm_musd_per_day(
            forwards.spot, forwards.forward, forwards.discount, forwards.years
        ) as put_charm,
        holdings.call_inventory,
        holdings.put_inventory,
        holdings.call_oi::double as call_oi,
        holdings.put_oi::double as put_oi,
        holdings.call_guess,
        holdings.put_guess,
        positions.call_flow,
        positions.put_flow,
        coalesce(positions.call_variance, 0) as call_flow_variance,
        coalesce(positions.put_variance, 0) as put_flow_variance,
        call_flow_variance + square(holdings.call_deviation) as call_variance,
        put_flow_variance + square(holdings.put_deviation) as put_variance
    from book.positions as positions
    semi join minutes on minutes.minute_at = positions.minute_at
    inner join book.pairs as pairs on pairs.pair_number = positions.pair_number
    inner join book.holdings as holdings
        on holdings.pair_number = positions.pair_number
        and positions.minute_at >= holdings.enters_at
        and positions.minute_at < holdings.leaves_at
    inner join surface.forwards as forwards
        on forwards.minute_at = positions.minute_at
        and forwards.root = pairs.root
        and forwards.expiry = pairs.expiry
),

-- a book that has nothing of a strike yet has no row of it
books as (
    select
        'measured' as book_basis,
        minute_at,
        root,
        expiry,
        strike,
        gamma,
        vanna,
        call_delta,
        put_delta,
        call_charm,
        put_charm,
        call_inventory + coalesce(call_flow, 0) as calls,
        put_inventory + coalesce(put_flow, 0) as puts,
        -- rounded as book.gammas rounds it: its sum over expiries is that of the strike
        exact_term(call_inventory * gamma)
        + exact_term(put_inventory * gamma)
        + coalesce(exact_term(call_flow * gamma) + exact_term(put_flow * gamma), 0) as gamma_musd,
        call_variance,
        put_variance,
        call_guess,
        put_guess
    from priced
    union all by name
    select
        'vol' as book_basis,
        minute_at,
        root,
        expiry,
        strike,
        gamma,
        vanna,
        call_delta,
        put_delta,
        call_charm,
        put_charm,
        call_flow as calls,
        put_flow as puts,
        exact_term(call_flow * gamma) + exact_term(put_flow * gamma) as gamma_musd,
        call_flow_variance as call_variance,
        put_flow_variance as put_variance,
        0 as call_guess,
        0 as put_guess
    from priced
    where call_flow is not null
    union all by name
    select
        'oi' as book_basis,
        minute_at,
        root,
        expiry,
        strike,
        gamma,
        vanna,
        call_delta,
        put_delta,
        call_charm,
        put_charm,
        call_oi as calls,
        put_oi as puts,
        exact_term(call_oi * gamma) + exact_term(put_oi * gamma) as gamma_musd,
        null as call_variance,
        null as put_variance,
        0 as call_guess,
        0 as put_guess
    from priced
),

terms as (
    select
        minute_at,
        book_basis,
        root,
        expiry,
        strike,
        common_share,
        exact_term(calls * call_delta + puts * put_delta) as delta_musd,
        exact_term(gamma_musd) as gamma_musd,
        exact_term((calls + puts) * vanna) as vanna_musd,
        exact_term(calls * call_charm + puts * put_charm) as charm_musd,
        call_guess * call_delta as delta_calls,
        put_guess * put_delta as delta_puts,
        square(call_delta) * (call_variance + square(own_share * call_guess))
        + square(put_delta) * (put_variance + square(own_share * put_guess)) as delta_variance,
        call_guess * gamma as gamma_calls,
        put_guess * gamma as gamma_puts,
        square(gamma) * (call_variance + square(own_share * call_guess))
        + square(gamma) * (put_variance + square(own_share * put_guess)) as gamma_variance,
        call_guess * vanna as vanna_calls,
        put_guess * vanna as vanna_puts,
        square(vanna) * (call_variance + square(own_share * call_guess))
        + square(vanna) * (put_variance + square(own_share * put_guess)) as vanna_variance,
        call_guess * call_charm as charm_calls,
        put_guess * put_charm as charm_puts,
        square(call_charm) * (call_variance + square(own_share * call_guess))
        + square(put_charm) * (put_variance + square(own_share * put_guess)) as charm_variance
    from books
    cross join shares
)

select
    minute_at,
    book_basis,
    root,
    expiry,
    strike,
    delta_musd,
    gamma_musd,
    vanna_musd,
    charm_musd,
    sqrt(delta_variance + square(common_share) * (square(delta_calls) + square(delta_puts)))::float
        as delta_deviation_musd,
    sqrt(gamma_variance + square(common_share) * (square(gamma_calls) + square(gamma_puts)))::float
        as gamma_deviation_musd,
    sqrt(vanna_variance + square(common_share) * (square(vanna_calls) + square(vanna_puts)))::float
        as vanna_deviation_musd,
    sqrt(charm_variance + square(common_share) * (square(charm_calls) + square(charm_puts)))::float
        as charm_deviation_musd
from terms
where strike is not null
union all
select
    minute_at,
    book_basis,
    root,
    expiry,
    null,
    exact_sum(delta_musd),
    exact_sum(gamma_musd),
    exact_sum(vanna_musd),
    exact_sum(charm_musd),
    sqrt(
        exact_square_sum(delta_variance)
        + square(any_value(common_share))
        * (square(exact_sum(delta_calls)) + square(exact_sum(delta_puts)))
    )::float,
    sqrt(
        exact_square_sum(gamma_variance)
        + square(any_value(common_share))
        * (square(exact_sum(gamma_calls)) + square(exact_sum(gamma_puts)))
    )::float,
    sqrt(
        exact_square_sum(vanna_variance)
        + square(any_value(common_share))
        * (square(exact_sum(vanna_calls)) + square(exact_sum(vanna_puts)))
    )::float,
    sqrt(
        exact_square_sum(charm_variance)
        + square(any_value(common_share))
        * (square(exact_sum(charm_calls)) + square(exact_sum(charm_puts)))
    )::float
from terms
where strike is null
group by minute_at, book_basis, root, expiry
