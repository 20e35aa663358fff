-- measure.true_inventory: book.inventory as the simulated dealers really held it.
-- grain: root, expiry, strike, option_type
-- reads: measure.truth_book, tape.expiries, tape.session
select
    root,
    expiry,
    strike,
    option_type,
    open_quantity,
    'measured' as source,
    open_quantity as oi_quantity,
    'measured' as oi_source
from measure.truth_book
inner join tape.expiries as expiries using (root, expiry)
where expiries.expires_at > (select opens_at from tape.session)
