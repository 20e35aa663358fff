-- surface.near_quotes: the quotes of these expiries within 700 points of the index.
-- grain: minute_et, expiry, strike
-- reads: surface.near_terms, surface.quotes
select
    terms.minute_et,
    terms.expiry,
    terms.dte,
    terms.root,
    quotes.strike,
    quotes.call_bid,
    quotes.call_ask,
    whole_seconds(quotes.call_quoted_at, terms.minute_at) as call_age_s,
    quotes.put_bid,
    quotes.put_ask,
    whole_seconds(quotes.put_quoted_at, terms.minute_at) as put_age_s
from surface.quotes as quotes
inner join surface.near_terms as terms using (term_number)
where abs(quotes.strike - terms.spot) <= 700
