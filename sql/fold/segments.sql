-- fold.segments: each unsolved island cut into the cheapest sequence of packages and loose prints,
-- in the listing where that sequence is cheapest. An order other than time must be worth its cost.
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
position_costs as (
    select
        listing,
        list_reduce(
            [x.pieces for x in ends],
            lambda costs, pieces: list_append(costs, list_min([
                (costs[piece % 1048576] // 1048576 + piece // 1048576) * 1048576
                + piece % 1048576
                for piece in pieces
            ])),
            [0::bigint]
        ) as costs
    from gathered
),

cheapest as (
    select listing, costs
    from position_costs
    qualify row_number() over (
        -- the orders of one island
        partition by listing // 4
        order by
            costs[-1] // 1048576 + if(listing % 4 = 0, 0, $listing_cost::integer),
            listing
    ) = 1
),

-- back from the end, piece by piece: where each begins, the last one first
cuts as (
    select
        listing,
        list_reduce(
            [[ends_at, costs[ends_at + 1] % 1048576] for ends_at in range(len(costs) - 1, 0, -1)],
            lambda starts, piece: case
                when piece[1] = starts[-1] - 1 then list_append(starts, piece[2])
                else starts
            end,
            [len(costs)]
        ) as starts
    from cheapest
),

chosen as (
    select
        listing,
        unnest(starts[2:]) as first_position,
        unnest(starts[:-2]) - 1 as last_position,
        len([i for i in range(1, len(starts)) if starts[i + 1] = starts[i] - 1]) as loose_prints
    from cuts
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
-- an unusual package, or one next to loose prints whose net does not prove it, waits for the
-- prints around it
where $is_final::boolean
    or (
        runs.rarity <= $plain_rarity::integer
        and (runs.evidence = 'strong' or chosen.loose_prints = 0)
    )
