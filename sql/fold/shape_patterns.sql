-- fold.shape_patterns: the ways each shape of the session can have been bought and sold.
-- grain: shape, pattern
-- reads: fold.fill_shapes
with

shapes as (
    select shape, types, expiries, strikes, ratios, width from fold.fill_shapes
)

select
    shape,
    pattern,
    signs,
    structure,
    structure_when_sold,
    is_hedged_with_combo
from shape_patterns('shapes', true)
