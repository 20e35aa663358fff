-- tape.roots: the roots of listed contracts, whose they are and how they settle.
-- grain: symbol, root
-- reads:
-- param: roots
select
    unnest.symbol as symbol,
    unnest.root as root,
    unnest.settlement as settlement,
    unnest.root_number as root_number
from unnest(from_json(
    $roots,
    '[{"symbol": "varchar", "root": "varchar", "settlement": "varchar", "root_number": "integer"}]'
))
