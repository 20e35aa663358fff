-- ledger.option_minutes: the quotes that a test of a rule trades at.
-- kind: view
-- grain: minute_et, expiry, strike
-- reads: surface.near_quotes, tape.session
select
    session.session_date,
    quotes.minute_et,
    quotes.expiry,
    quotes.dte,
    quotes.root,
    quotes.strike,
    quotes.call_bid,
    quotes.call_ask,
    quotes.call_age_s,
    quotes.put_bid,
    quotes.put_ask,
    quotes.put_age_s
from surface.near_quotes as quotes
cross join tape.session as session
order by quotes.minute_et, quotes.expiry, quotes.strike
