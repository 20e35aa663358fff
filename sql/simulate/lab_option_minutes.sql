-- simulate.lab_option_minutes: the quotes of a simulated session of LAB, steps made points.
-- grain: minute_et, expiry, strike
-- reads: simulate.lab_expiries, simulate.lab_quotes, simulate.lab_states, tape.session
select
    session.session_date,
    states.minute_et,
    expiries.expiry::date as expiry,
    expiries.dte::integer as dte,
    'SPXW' as root,
    quotes.strike,
    round(known_value(quotes.call_bid) * expiries.tick, 2) as call_bid,
    round(known_value(quotes.call_ask) * expiries.tick, 2) as call_ask,
    known_value(quotes.call_age)::integer as call_age_s,
    round(known_value(quotes.put_bid) * expiries.tick, 2) as put_bid,
    round(known_value(quotes.put_ask) * expiries.tick, 2) as put_ask,
    known_value(quotes.put_age)::integer as put_age_s
from simulate.lab_quotes as quotes
cross join tape.session as session
inner join simulate.lab_states as states using (state)
inner join simulate.lab_expiries as expiries using (dte)
order by states.minute_et, expiry, quotes.strike
