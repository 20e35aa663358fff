-- fold.segments: each unsolved island cut into the cheapest row of packages and loose prints, in
-- the listing where that row is cheapest. Another order than time has to be worth its cost.
-- grain: package_id
-- reads: fold.listings, fold.runs
-- param: is_final, listing_cost, plain_rarity
with

-- a loose print is a run of one that costs more than its share of any package
pieces as (
    select listing, first_position, last_position, cost_thousandths from fold.runs
    union all
    select listing, position, position, loose_cost
    from fold.listings
    semi join fold.runs using (listing)
),

-- the pieces that end at a position; cost and beginning of each, which is below 2^20, in one
-- number, so that the earliest of equals is taken
ends as (
    select
        listing,
        last_position,
        list(cost_thousandths::bigint * 1048576 + first_position) as pieces
    from pieces
    group by listing, last_position
),

gathered as (
    select listing, list_sort(list({'position': last_position, 'pieces': pieces})) as ends
    from ends
    group by listing
),

-- position by position: the least cost of everything before it and up to it, and where the last
-- piece of that begins, again in one number
walked as (
    select
        listing,
        list_reduce(
            [x.pieces for x in ends],
            lambda places, pieces: list_append(places, list_min([
                (places[piece % 1048576] // 1048576 + piece // 1048576) * 1048576
                + piece % 1048576
                for piece in pieces
            ])),
            [0::bigint]
        ) as places
    from gathered
),

cheapest as (
    select listing, places
    from walked
    qualify row_number() over (
        -- the orders of one island
        partition by listing // 4
        order by
            places[-1] // 1048576 + if(listing % 4 = 0, 0, $listing_cost::integer),
            listing
    ) = 1
),

-- back from the end, piece by piece: where each begins, the last one first
taken as (
    select
        listing,
        list_reduce(
            [[place, places[place + 1] % 1048576] for place in range(len(places) - 1, 0, -1)],
            lambda starts, place: case
                when place[1] = starts[-1] - 1 then list_append(starts, place[2])
                else starts
            end,
            [len(places)]
        ) as starts
    from cheapest
),

chosen as (
    select
        listing,
        unnest(starts[2:]) as first_position,
        unnest(starts[:-2]) - 1 as last_position,
        len([i for i in range(1, len(starts)) if starts[i + 1] = starts[i] - 1]) as loose_prints
    from taken
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
inner join fold.runs as runs using (listing, first_position, last_position)
-- what is unusual, or beside loose prints not proved by its net, waits for the prints around it
where $is_final::boolean
    or (
        runs.rarity <= $plain_rarity::integer
        and (runs.evidence = 'strong' or chosen.loose_prints = 0)
    )
