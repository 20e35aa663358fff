-- measure.flow_sums: contracts that the session added to the dealer book, by contract.
-- grain: root, expiry, strike, option_type
-- reads: book.flows
select
    root,
    expiry,
    strike,
    option_type,
    sum(dealer_quantity)::double as dealer_quantity
from book.flows
group by all
