-- fold.order_patterns: which legs of an order were bought together and which against them, as far
-- as names and net prices can tell. First leg bought; `signs` is null when nothing can tell.
-- Among the possible ways, a name that is much more likely than the next stands, otherwise it is
-- ambiguous.
-- grain: parent_id
-- reads: fold.possible_patterns
with

remaining as (
    select
        *,
        count(*) over (partition by parent_id) as remaining_count,
        min(cost) over (partition by parent_id) as least_cost
    from fold.possible_patterns
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
