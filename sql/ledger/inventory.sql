-- ledger.inventory: dealers' position at the open and how it is known.
-- grain: root, expiry, strike, option_type
-- reads: book.inventory, tape.session
select
    session.session_date,
    inventory.root,
    inventory.expiry,
    inventory.strike,
    inventory.option_type,
    inventory.open_quantity::bigint as quantity,
    inventory.source
from book.inventory as inventory
cross join tape.session as session
order by inventory.root, inventory.expiry, inventory.strike, inventory.option_type
