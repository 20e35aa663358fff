-- book.bar_shifts: distance between quotes and index of each minute, as one standard deviation in
-- index points: quotes and index are not of one instant, and between the two the index moves by its
-- volatility. The whole gamma profile moves with it, and so does the flip. With many different time
-- distances, their mean counts: two quotes moved together for the shorter of their times, if both
-- lie on one side of the index. An index by put-call parity has its own error, times included.
-- grain: minute_at
-- reads: surface.expected_moves, surface.forwards, surface.quotes, surface.spots
with

sides as (
    select
        spots.minute_at,
        spots.spot,
        moves.implied_vol,
        epoch_us(spots.spotted_at) - epoch_us(sides.quoted_at) as apart_us
    from surface.spots as spots
    inner join surface.expected_moves as moves using (minute_et)
    inner join surface.forwards as forwards using (minute_et, root, expiry)
    inner join surface.quotes as quotes using (term_number)
    cross join unnest([quotes.call_quoted_at, quotes.put_quoted_at]) as sides(quoted_at)
    where spots.spot_source = 'index'
        and abs(quotes.strike - spots.spot) < 0.01::double * spots.spot
        and sides.quoted_at is not null
),

-- the shorter time of each pair, pair by pair: the longest is the shorter one once, with itself,
-- and each before it twice more
paired as (
    select
        *,
        2 * row_number() over (
            partition by minute_at, apart_us > 0 order by abs(apart_us) desc
        ) - 1 as pair_count
    from sides
),

means as (
    select
        minute_at,
        spot,
        implied_vol,
        sum(abs(apart_us) * pair_count)::double / (count(*) * count(*)) / 1e6 as seconds_apart
    from paired
    group by all
)

select
    minute_at,
    spot * implied_vol * sqrt(years_of_seconds(seconds_apart)) as shift_points
from means
union all
select minute_at, spot_error as shift_points
from surface.spots
where spot_source = 'parity'
