-- measure.true_inventory: book.inventory as the simulated dealers really held it.
-- grain: root, expiry, strike, option_type
-- reads: measure.truth_book, tape.expiries, tape.session
select
    root,
    expiry,
    strike,
    option_type,
    'measured' as source,
    whole_contracts(open_quantity) as open_quantity,
    whole_contracts(0) as guessed_quantity,
    whole_contracts(0) as deviation_quantity,
    whole_contracts(0) as balance_quantity,
    whole_contracts(0) as rate_quantity,
    -- what the convention stands for
    open_quantity as oi_quantity
from measure.truth_book
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
