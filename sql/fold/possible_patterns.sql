-- fold.possible_patterns: the ways the legs of an order can have been bought and sold: those that
-- have a name and a net on its step in every fill, all that have a name if none is on its step.
-- A penny in any one fill decides for the whole order.
-- grain: parent_id, pattern
-- reads: fold.fill_shapes, fold.parents, fold.shape_patterns, tape.session
with

nets as (
    select
        parents.parent_id,
        patterns.shape,
        patterns.pattern,
        any_value(patterns.structure) as structure,
        any_value(patterns.structure_when_sold) as structure_when_sold,
        any_value(patterns.signs) as signs,
        any_value(patterns.is_hedged_with_combo) as is_hedged_with_combo,
        bool_and(coalesce(
            list_sum([x[1] * x[2] for x in list_zip(shapes.cashes, patterns.signs)])::bigint
                % (net_tick_cents(session.symbol, patterns.structure) * shapes.unit) = 0,
            true
        )) as is_on_step,
        max(list_max(shapes.ratios)) as reduced_ratio
    from fold.parents as parents
    inner join fold.fill_shapes as shapes using (fill_id)
    inner join fold.shape_patterns as patterns using (shape)
    cross join tape.session as session
    where patterns.structure <> 'custom'
    group by parents.parent_id, patterns.shape, patterns.pattern
),

named as (
    select
        *,
        structure_cost(structure, is_hedged_with_combo, reduced_ratio)
        + case when is_hedged_with_combo then 300 else 0 end as cost,
        count(*) over (partition by parent_id) as named_count,
        bool_or(is_on_step) over (partition by parent_id) as has_step
    from nets
)

select
    parent_id,
    pattern,
    structure,
    structure_when_sold,
    signs,
    is_hedged_with_combo,
    cost,
    named_count,
    has_step
from named
where is_on_step or not has_step
