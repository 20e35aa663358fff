-- surface.pairs: calls and puts of one strike near the spot, each giving a forward by put-call
-- parity. Near: within 2 % of the spot, or four standard deviations by the straddle of the strike
-- nearest to the spot where that is wider; of these the 31 nearest.
-- grain: term_number, strike
-- reads: surface.quotes, surface.terms
with

two_sided as not materialized (
    select
        terms.term_number,
        quotes.strike,
        quotes.call_bid,
        quotes.call_ask,
        quotes.put_bid,
        quotes.put_ask,
        terms.spot,
        terms.discount,
        abs(quotes.strike - terms.spot) as distance_points
    from surface.quotes as quotes
    inner join surface.terms as terms using (term_number)
    where terms.reason is null
        and quotes.call_bid > 0
        and quotes.put_bid > 0
        and quotes.call_ask >= quotes.call_bid
        and quotes.put_ask >= quotes.put_bid
),

-- four per cent around the spot hold the 31 nearest pairs of most expiries
close_pairs as materialized (
    select *
    from two_sided
    where distance_points <= 0.04::double * spot
),

crowded as (
    select term_number
    from close_pairs
    group by term_number
    having count(*) >= 31
),

-- the others look at all of their strikes
candidates as (
    from close_pairs
    union all
    select two_sided.*
    from two_sided
    anti join crowded using (term_number)
    where distance_points > 0.04::double * spot
),

ranked as (
    select
        *,
        row_number() over nearest as nearness,
        -- a straddle at the spot is worth 0.8 of one standard deviation
        sqrt(pi() / 2) * first_value(
            quote_mid(call_bid, call_ask) + quote_mid(put_bid, put_ask)
        ) over nearest as deviation_points
    from candidates
    window nearest as (partition by term_number order by distance_points, strike)
)

select
    term_number,
    strike,
    strike + (quote_mid(call_bid, call_ask) - quote_mid(put_bid, put_ask)) / discount as forward,
    strike + (call_bid - put_ask) / discount as forward_low,
    strike + (call_ask - put_bid) / discount as forward_high,
    -- two locked quotes weigh as if they were a cent wide, not without limit
    1.0::double / greatest(call_ask - call_bid + put_ask - put_bid, 0.01::double) as weight
from ranked
where nearness <= 31
    and distance_points <= greatest(0.02::double * spot, 4 * deviation_points)
