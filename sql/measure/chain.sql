-- measure.chain: every contract of every state minute that has a volatility at its strike, with all
-- that one evaluation of its gamma needs.
-- grain: term_number, strike, option_type
-- reads: surface.forwards, surface.implied_vols, surface.quotes
select
    forwards.spot,
    forwards.forward,
    quotes.strike,
    forwards.discount,
    vols.implied_vol,
    forwards.years
from surface.quotes as quotes
inner join surface.forwards as forwards using (term_number)
inner join surface.implied_vols as vols
    on vols.term_number = forwards.term_number and vols.strike = quotes.strike
where vols.implied_vol is not null
    and forwards.spot is not null
