-- surface.pairs: calls and puts of one strike near the spot, each giving a forward by put-call
-- parity. Near: within 2 % of the spot, or four standard deviations by the straddle of the strike
-- nearest to the spot where that is wider; of these the 31 nearest.
-- grain: minute_et, root, expiry, strike
-- reads: surface.quotes, surface.terms
with

two_sided as (
    select minute_et, root, expiry, strike, option_type, best_bid, best_ask, mid
    from surface.quotes
    where best_bid > 0
        and mid is not null
),

-- four per cent around every spot of the session hold the 31 nearest pairs of most expiries
close_quotes as (
    select *
    from two_sided
    where strike >= (select 0.96::double * min(spot) from surface.terms)
        and strike <= (select 1.04::double * max(spot) from surface.terms)
),

crowded as (
    select calls.minute_et, calls.root, calls.expiry
    from close_quotes as calls
    join close_quotes as puts using (minute_et, root, expiry, strike)
    join surface.terms as terms using (minute_et, root, expiry)
    where calls.option_type = 'C'
        and puts.option_type = 'P'
        and abs(calls.strike - terms.spot) <= 0.04::double * terms.spot
    group by all
    having count(*) >= 31
),

-- the others are paired over all of their strikes
candidates as (
    from close_quotes
    union all
    select two_sided.*
    from two_sided
    anti join crowded using (minute_et, root, expiry)
    where strike < (select 0.96::double * min(spot) from surface.terms)
        or strike > (select 1.04::double * max(spot) from surface.terms)
),

paired as (
    select
        calls.minute_et,
        calls.root,
        calls.expiry,
        calls.strike,
        calls.best_bid as call_bid,
        calls.best_ask as call_ask,
        puts.best_bid as put_bid,
        puts.best_ask as put_ask,
        calls.mid - puts.mid as mid_difference,
        calls.mid + puts.mid as straddle,
    from candidates as calls
    join candidates as puts using (minute_et, root, expiry, strike)
    where calls.option_type = 'C'
        and puts.option_type = 'P'
),

ranked as (
    select
        paired.*,
        terms.spot,
        terms.discount,
        abs(paired.strike - terms.spot) as distance_points,
        row_number() over nearest as nearness,
        -- a straddle at the spot is worth 0.8 of one standard deviation
        sqrt(pi() / 2) * first_value(paired.straddle) over nearest as deviation_points,
    from paired
    join surface.terms as terms using (minute_et, root, expiry)
    where terms.reason is null
    window nearest as (
        partition by paired.minute_et, paired.root, paired.expiry
        order by abs(paired.strike - terms.spot), paired.strike
    )
)

select
    minute_et,
    root,
    expiry,
    strike,
    strike + mid_difference / discount as forward,
    strike + (call_bid - put_ask) / discount as forward_low,
    strike + (call_ask - put_bid) / discount as forward_high,
    -- two locked quotes weigh as if they were a cent wide, not without limit
    1.0::double / greatest(call_ask - call_bid + put_ask - put_bid, 0.01::double) as weight,
from ranked
where nearness <= 31
    and distance_points <= greatest(0.02::double * spot, 4 * deviation_points)
