-- fold.segments: each unsolved island cut into the cheapest row of packages and loose prints, in
-- the listing where that row is cheapest. Another order than time has to be worth its cost.
-- grain: package_id
-- reads: fold.listings, fold.runs
-- param: is_final, listing_cost, plain_rarity
with recursive

-- a loose print is a run of one that costs more than its share of any package
pieces as (
    select listing, first_position, last_position, cost_thousandths, package_id from fold.runs
    union all
    select listing, position, position, loose_cost, null
    from fold.listings
    where listing in (select listing from fold.runs)
),

-- position by position: the least cost of everything up to here and the packages it takes
walked as (
    select distinct
        listing,
        0::bigint as position,
        [0::bigint] as costs,
        [[]::bigint[]] as paths
    from fold.runs
    union all
    select
        walked.listing,
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
        on pieces.listing = walked.listing and pieces.last_position = walked.position + 1
    group by walked.listing, walked.position
),

ends as (
    select listing, any_value(island) as island, any_value(island_prints) as island_prints
    from fold.listings
    group by listing
),

cheapest as (
    select walked.paths[walked.position + 1] as path
    from walked
    inner join ends on ends.listing = walked.listing and ends.island_prints = walked.position
    qualify row_number() over (
        partition by ends.island
        order by
            walked.costs[walked.position + 1]
            + case when walked.listing % 4 = 0 then 0 else $listing_cost::integer end,
            walked.listing
    ) = 1
),

chosen as (
    select
        len(list_filter(path, lambda x: x is null)) as loose_prints,
        unnest(list_filter(path, lambda x: x is not null)) as package_id
    from cheapest
)

select
    runs.package_id,
    runs.listing,
    runs.first_position,
    runs.last_position,
    runs.cost_thousandths,
    runs.unit,
    runs.leg_count
from chosen
inner join fold.runs as runs using (package_id)
-- what is unusual, or beside loose prints not proved by its net, waits for the prints around it
where $is_final::boolean
    or (
        runs.rarity <= $plain_rarity::integer
        and (runs.evidence = 'strong' or chosen.loose_prints = 0)
    )
