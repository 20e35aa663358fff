-- fold.segments: each unsolved island cut into the cheapest row of packages and loose prints.
-- grain: package_id
-- reads: fold.islands, fold.runs
-- param: is_final
with recursive

-- a loose print is a run of one that costs more than its share of any package
pieces as (
    select island, first_position, last_position, cost_thousandths, package_id from fold.runs
    union all
    select island, position, position, loose_cost, null
    from fold.islands
    where island in (select island from fold.runs)
),

-- position by position: the least cost of everything up to here and the packages it takes
walked as (
    select distinct
        island,
        0::bigint as position,
        [0::bigint] as costs,
        [[]::bigint[]] as paths
    from fold.runs
    union all
    select
        walked.island,
        walked.position + 1,
        list_append(
            any_value(walked.costs),
            min(walked.costs[pieces.first_position] + pieces.cost_thousandths)::bigint
        ),
        list_append(
            any_value(walked.paths),
            arg_min(
                list_append(walked.paths[pieces.first_position], pieces.package_id),
                (
                    walked.costs[pieces.first_position] + pieces.cost_thousandths,
                    pieces.first_position
                )
            )
        )
    from walked
    inner join pieces
        on pieces.island = walked.island and pieces.last_position = walked.position + 1
    group by walked.island, walked.position
),

ends as (
    select island, max(island_prints) as island_prints
    from fold.islands
    group by island
),

chosen as (
    select
        walked.island,
        len(list_filter(walked.paths[walked.position + 1], lambda x: x is null)) as loose_prints,
        unnest(list_filter(walked.paths[walked.position + 1], lambda x: x is not null))
            as package_id
    from walked
    inner join ends on ends.island = walked.island and ends.island_prints = walked.position
)

select
    runs.package_id,
    runs.island,
    runs.first_position,
    runs.last_position,
    runs.cost_thousandths,
    runs.unit,
    runs.leg_count
from chosen
inner join fold.runs as runs using (package_id)
-- prices that tell nothing wait for the prints around them
where runs.evidence = 'strong' or chosen.loose_prints = 0 or $is_final::boolean
