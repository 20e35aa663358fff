-- ledger.inventory: dealers' position at the open and how it is known.
-- grain: root, expiry, strike, option_type
-- reads: book.inventory, tape.session
select
    session.session_date,
    inventory.root,
    inventory.expiry,
    inventory.strike,
    inventory.option_type,
    inventory.open_quantity::double as quantity,
    inventory.source,
    inventory.guessed_quantity::double as guessed_quantity,
    inventory.deviation_quantity::double as deviation_quantity
from book.inventory as inventory
cross join tape.session as session
order by inventory.root, inventory.expiry, inventory.strike, inventory.option_type
