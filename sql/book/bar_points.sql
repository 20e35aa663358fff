-- book.bar_points: the smiles of the minutes that price the deviations, with half the spread of the
-- quote behind each point.
-- grain: term_number, strike
-- reads: book.bar_states, surface.forwards, surface.quotes, surface.smiles
with

states as (select distinct state_et as minute_et from book.bar_states),

forwards as (
    select forwards.*
    from surface.forwards as forwards
    semi join states using (minute_et)
    where forwards.forward is not null and forwards.years > 0
),

-- a join sorts or hashes all that it reads: only these minutes
smiles as materialized (
    select smiles.* from surface.smiles as smiles semi join forwards using (term_number)
),

quotes as materialized (
    select quotes.* from surface.quotes as quotes semi join forwards using (term_number)
)

select
    smiles.*,
    forwards.discount * forwards.forward as vega_scale,
    0.5::double * if(
        smiles.strike < forwards.forward,
        quotes.put_ask - quotes.put_bid,
        quotes.call_ask - quotes.call_bid
    ) as half_spread
from smiles
inner join forwards using (term_number)
left join quotes
    on quotes.term_number = smiles.term_number
    and quotes.strike = smiles.strike
