-- surface.parity_pairs: calls and puts of one strike near the money, each giving a forward by
-- put-call parity. Without an index the money is where the median of all pairs is. Near: within 2 %
-- of it, or four standard deviations by the straddle of the strike nearest to it where that is
-- wider; of these the 31 nearest. half_width is half the distance between the bounds of the pair,
-- age_deviation what the index may have moved since its quotes, second_deviation within a second:
-- in index points.
-- grain: term_number, strike
-- reads: surface.parity_terms, surface.quotes
with

two_sided as (
    select
        terms.term_number,
        terms.seconds_left,
        quotes.strike,
        quote_mid(quotes.call_bid, quotes.call_ask) as call_mid,
        quote_mid(quotes.put_bid, quotes.put_ask) as put_mid,
        quotes.strike + (call_mid - put_mid) / terms.discount as forward,
        (quotes.call_ask - quotes.call_bid + quotes.put_ask - quotes.put_bid)
        / (2 * terms.discount) as half_width,
        (
            2 * epoch_us(terms.minute_at)
            - epoch_us(quotes.call_quoted_at) - epoch_us(quotes.put_quoted_at)
        ) / 2e6::double as age_seconds,
        greatest(quotes.call_quoted_at, quotes.put_quoted_at) as quoted_at
    from surface.quotes as quotes
    inner join surface.parity_terms as terms using (term_number)
    where quotes.call_bid > 0
        and quotes.put_bid > 0
        and quotes.call_ask >= quotes.call_bid
        and quotes.put_ask >= quotes.put_bid
),

middles as (
    select term_number, median(forward) as middle
    from two_sided
    group by term_number
),

ranked as (
    select
        two_sided.*,
        middles.middle,
        abs(two_sided.strike - middles.middle) as distance_points,
        row_number() over nearest as nearness,
        -- a straddle at the money is worth 0.8 of one standard deviation
        sqrt(pi() / 2) * first_value(two_sided.call_mid + two_sided.put_mid) over nearest
            as deviation_points
    from two_sided
    inner join middles using (term_number)
    window nearest as (
        partition by two_sided.term_number
        order by abs(two_sided.strike - middles.middle), two_sided.strike
    )
)

select
    term_number,
    strike,
    forward,
    half_width,
    deviation_points * sqrt(age_seconds / trading_seconds(seconds_left)) as age_deviation,
    deviation_points * sqrt(index_seconds() / trading_seconds(seconds_left)) as second_deviation,
    quoted_at,
    -- two locked quotes weigh as if they were a cent wide, not without limit
    1 / greatest(sqrt(square(half_width) + square(age_deviation)), 0.01::double) as weight
from ranked
where nearness <= 31
    and distance_points <= greatest(0.02::double * middle, 4 * deviation_points)
