-- audit.legs_equal_their_prints: an order whose legs are not the sum of its prints states a size
-- nobody traded.
-- grain: order_id
-- reads: fold.legs, fold.order_prints, tape.prints
with

printed as (
    select
        order_prints.order_id,
        prints.root,
        prints.expiry,
        prints.strike,
        prints.option_type,
        sum(prints.size) as contracts
    from fold.order_prints as order_prints
    inner join tape.prints as prints using (sequence)
    group by all
)

select order_id, printed.contracts as printed_contracts, legs.contracts as leg_contracts
from printed
full join fold.legs as legs using (order_id, root, expiry, strike, option_type)
where printed.contracts is distinct from legs.contracts
