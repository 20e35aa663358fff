-- book.bar_shares: error of the quotes as a share of half their spread, one standard deviation:
-- measured for each expiry by the distance of volatilities from the line between their neighbours.
-- It is at most that of a true price anywhere between bid and ask, and equal to it where too few
-- neighbours exist.
-- grain: term_number
-- reads: book.bar_points
with

-- half a spread in deviations
errors as (
    select
        term_number,
        log_moneyness,
        sqrt(total_variance) as deviation,
        half_spread / (
            vega_scale * normal_density(-log_moneyness / deviation + 0.5::double * deviation)
        ) as half_error
    from book.bar_points
    where half_spread is not null
),

-- a mean of two errs less than one, and the farther one the less
neighbours as (
    select
        term_number,
        (log_moneyness - lag(log_moneyness) over by_strike)
        / (lead(log_moneyness) over by_strike - lag(log_moneyness) over by_strike) as share,
        abs(
            deviation
            - (1 - share) * lag(deviation) over by_strike
            - share * lead(deviation) over by_strike
        ) as distance,
        sqrt(
            square(half_error)
            + square((1 - share) * lag(half_error) over by_strike)
            + square(share * lead(half_error) over by_strike)
        ) as half_distance
    from errors
    window by_strike as (partition by term_number order by log_moneyness)
),

-- half of all normal errors are within 0.6745 deviations
measured as (
    select term_number, median(distance / half_distance) / 0.6745::double as error_share
    from neighbours
    where half_distance > 0
    group by term_number
    having count(*) >= bar_neighbours()
)

select
    terms.term_number,
    least(coalesce(measured.error_share, bar_error_share()), bar_error_share()) as error_share
from (select distinct term_number from book.bar_points) as terms
left join measured using (term_number)
