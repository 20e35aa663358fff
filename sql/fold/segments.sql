-- fold.segments: each unsolved island cut into the cheapest row of packages and loose prints, in
-- the listing where that row is cheapest. Another order than time has to be worth its cost.
-- grain: package_id
-- reads: fold.listings, fold.runs
-- param: is_final, listing_cost, plain_rarity
with recursive

-- a loose print is a run of one that costs more than its share of any package
pieces as (
    select listing, first_position, last_position, cost_thousandths from fold.runs
    union all
    select listing, position, position, loose_cost
    from fold.listings
    semi join fold.runs using (listing)
),

-- all of a listing in one row: a step along it then looks nowhere else
gathered as (
    select
        listing,
        list({'first': first_position, 'last': last_position, 'cost': cost_thousandths}) as pieces
    from pieces
    group by listing
),

listings as (
    select listing, any_value(island) as island, any_value(island_prints) as island_prints
    from fold.listings
    group by listing
),

-- position by position: the least cost of everything up to here, and where the last piece of it
-- begins; both in one number, so that the earliest of equals is taken
walked as (
    select
        listing,
        listings.island,
        listings.island_prints,
        gathered.pieces,
        0::bigint as position,
        [0::bigint] as costs,
        []::bigint[] as firsts
    from gathered
    inner join listings using (listing)
    union all
    select
        listing,
        island,
        island_prints,
        pieces,
        position + 1,
        list_append(costs, place // 4096),
        list_append(firsts, place % 4096)
    from (
        select
            *,
            list_min([
                (costs[piece.first] + piece.cost) * 4096 + piece.first
                for piece in pieces if piece.last = position + 1
            ])::bigint as place
        from walked
        where position < island_prints
    )
),

cheapest as (
    select listing, position, firsts
    from walked
    where position = island_prints
    qualify row_number() over (
        partition by island
        order by
            costs[position + 1]
            + case when listing % 4 = 0 then 0 else $listing_cost::integer end,
            listing
    ) = 1
),

-- back from the end, piece by piece
taken as (
    select listing, firsts, firsts[position] as first_position, position as last_position
    from cheapest
    union all
    select listing, firsts, firsts[first_position - 1], first_position - 1
    from taken
    where first_position > 1
),

chosen as (
    select
        listing,
        first_position,
        last_position,
        count(*) filter (where first_position = last_position) over (partition by listing)
            as loose_prints
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
