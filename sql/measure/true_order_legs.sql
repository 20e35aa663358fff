-- measure.true_order_legs: fold.edition_legs of measure.true_orders.
-- grain: edition_id, leg_number
-- reads: measure.truth_legs, measure.truth_prints, tape.prints
select
    prints.sequence as edition_id,
    1 as leg_number,
    legs.root,
    legs.expiry,
    legs.strike,
    legs.option_type,
    prints.size as contracts,
    1 as package_sign,
    legs.customer_sign
from measure.truth_prints as truth_prints
inner join measure.truth_legs as legs using (parent_id, leg_number)
inner join tape.prints as prints using (sequence)
