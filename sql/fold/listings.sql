-- fold.listings: the prints of islands that are not one package, listed in up to four orders: by
-- time, by size, by expiry and by contract. Packages that printed through each other stand apart
-- in one of them.
-- grain: listing, position
-- reads: fold.islands, fold.whole_islands
with

-- one row a print and order
ordered as (
    select
        *,
        unnest([0, 1, 2, 3]) as ordering,
        unnest([
            print_number, size, expiry_number_of(contract_number), contract_number
        ]) as order_key
    from fold.islands
    where island_prints > 2
        and island not in (select package_id from fold.whole_islands)
),

positions as (
    select
        *,
        row_number() over (
            partition by island, ordering order by order_key, print_number
        ) as listed_position
    from ordered
),

-- an order equal to the time order is not a listing
compared as (
    select
        *,
        bool_and(listed_position = position) over (partition by island, ordering) as is_by_time
    from positions
)

select
    island * 4 + ordering as listing,
    island,
    listed_position as position,
    position as island_position,
    island_prints,
    print_number,
    contract_number,
    size,
    cash_cents,
    is_penny,
    printed_us,
    gap_scale,
    loose_cost
from compared
where ordering = 0 or not is_by_time
