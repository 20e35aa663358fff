-- measure.true_flows: book.flows as the simulated dealers really traded: every print not cancelled
-- of the session at its own instant, with the sign of its customer. Crosses have none.
-- grain: order_id, leg_number
-- reads: measure.truth_legs, measure.truth_prints, tape.minutes, tape.prints, tape.session
with

traded as (
    select
        truth_prints.sequence,
        legs.leg_number,
        legs.root,
        legs.expiry,
        legs.strike,
        legs.option_type,
        -legs.customer_sign * prints.size as dealer_quantity,
        prints.printed_at
    from measure.truth_prints as truth_prints
    inner join measure.truth_legs as legs using (parent_id, leg_number)
    inner join tape.prints as prints using (sequence)
    cross join tape.session as session
    where not truth_prints.is_cancelled
        and legs.customer_sign <> 0
        and prints.printed_at >= session.opens_at
        and prints.printed_at < session.closes_at
)

select
    traded.sequence::varchar as order_id,
    traded.leg_number,
    traded.root,
    traded.expiry,
    traded.strike,
    traded.option_type,
    whole_contracts(traded.dealer_quantity) as dealer_quantity,
    0::double as variance,
    whole_contracts(0) as balance_quantity,
    whole_contracts(0) as rate_quantity,
    whole_contracts(0) as lean,
    whole_contracts(0) as lean_square,
    traded.printed_at as visible_at,
    minutes.minute_at
from traded
asof left join tape.minutes as minutes on traded.printed_at < minutes.minute_at
