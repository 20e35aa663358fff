-- book.bar_shifts: how far the quotes may stand apart from the index of each minute, as one
-- standard deviation in index points: quotes and index are not of one instant, and
-- between the two the index moves by its volatility. All of gamma's course moves with it, and so
-- does the flip.
-- grain: minute_at
-- reads: surface.expected_moves, surface.forwards, surface.quotes, surface.spots
with

ages as (
    select
        spots.minute_at,
        spots.spot,
        moves.implied_vol,
        avg(abs(epoch_us(sides.quoted_at) - epoch_us(spots.spotted_at))) / 1e6::double
            as seconds_apart,
    from surface.spots as spots
    join surface.expected_moves as moves using (minute_et)
    join surface.forwards as forwards using (minute_et, root, expiry)
    join surface.quotes as quotes using (term_number)
    cross join unnest([quotes.call_quoted_at, quotes.put_quoted_at]) as sides(quoted_at)
    where abs(quotes.strike - spots.spot) < 0.01::double * spots.spot
    group by all
)

select
    minute_at,
    spot * implied_vol * sqrt(years_of_seconds(seconds_apart)) as shift_points,
from ages
