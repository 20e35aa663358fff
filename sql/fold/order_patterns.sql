-- fold.order_patterns: which legs of an order were bought together and which against them, as far
-- as names and net prices can tell. First leg bought; `signs` is null when nothing can tell.
-- Among the ways that have a name, those whose net is on its step in every fill remain (all, if
-- none is); a name that is much more likely than the next stands, otherwise it is ambiguous.
-- grain: parent_id
-- reads: fold.fill_shapes, fold.parents, fold.shape_patterns, tape.session
with

nets as (
    select
        parents.parent_id,
        patterns.shape,
        patterns.pattern,
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
        nets.*,
        patterns.structure,
        patterns.structure_when_sold,
        patterns.signs,
        patterns.is_hedged_with_combo,
        structure_cost(
            patterns.structure, patterns.is_hedged_with_combo, nets.reduced_ratio
        ) + case when patterns.is_hedged_with_combo then 300 else 0 end as cost,
        count(*) over (partition by nets.parent_id) as named_count,
        bool_or(nets.is_on_step) over (partition by nets.parent_id) as has_step
    from nets
    inner join fold.shape_patterns as patterns using (shape, pattern)
),

remaining as (
    select
        *,
        count(*) over (partition by parent_id) as remaining_count,
        min(cost) over (partition by parent_id) as least_cost
    from named
    where is_on_step or not has_step
),

likely as (
    select *, count(*) over (partition by parent_id) as likely_count
    from remaining
    -- nine times in ten: an iron condor before two verticals, a box before a hedged straddle
    where cost < least_cost + 600
)

select
    parent_id,
    arg_min(structure, (cost, pattern)) as structure,
    arg_min(structure_when_sold, (cost, pattern)) as structure_when_sold,
    case when any_value(likely_count) = 1 then any_value(signs) end as signs,
    arg_min(is_hedged_with_combo, (cost, pattern)) as is_hedged_with_combo,
    not any_value(has_step) as is_off_grid,
    case
        when any_value(likely_count) > 1 then 'ambiguous'
        when any_value(remaining_count) > 1 then 'prior'
        when any_value(named_count) > 1 then 'grid'
        else 'only pattern'
    end as chosen_by
from likely
group by parent_id
