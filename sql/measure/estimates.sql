-- measure.estimates: the levels as published from one inventory at the open of one kind of dealers.
-- grain: dealers, inventory, book_basis, minute_et
-- reads: levels.levels
-- param: dealers, inventory
select
    $dealers::varchar as dealers,
    $inventory::varchar as inventory,
    levels.*
from levels.levels
