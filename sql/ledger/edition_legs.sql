-- ledger.edition_legs: the contracts of every version of every order, with the conclusion of the
-- package rule and the side of each leg's own quotes.
-- grain: order_id, revision_number, leg_number
-- kind: view
-- reads: book.leg_gammas, fold.edition_legs, fold.editions, tape.session
select
    session.session_date,
    editions.order_id,
    legs.leg_number::integer as leg_number,
    legs.root,
    legs.expiry,
    legs.strike,
    legs.option_type,
    legs.ratio::integer as ratio,
    legs.contracts::integer as contracts,
    legs.premium_usd,
    legs.average_price,
    legs.package_sign::integer as package_sign,
    legs.customer_sign::integer as customer_sign,
    leg_gammas.implied_vol,
    leg_gammas.gamma,
    leg_gammas.reason as gamma_null_reason,
    legs.own_quote_sign::integer as own_quote_sign,
    editions.revision_number::integer as revision_number,
    leg_probability(editions.side_probability, legs.package_sign) as side_probability,
    editions.superseded_at
from fold.edition_legs as legs
inner join fold.editions as editions using (edition_id)
cross join tape.session as session
left join book.leg_gammas as leg_gammas using (edition_id, leg_number)
