-- fold.listings: the prints of islands that are not one package, listed in up to four orders: by
-- time, by size, by expiry and by contract. Packages that printed through each other stand apart
-- in one of them.
-- grain: listing, position
-- reads: fold.contracts, fold.islands, fold.whole_islands
with

unsolved as (
    select islands.*, contracts.expiry_number
    from fold.islands as islands
    inner join fold.contracts as contracts using (contract_number)
    where islands.island_prints > 2
        and islands.island not in (select package_id from fold.whole_islands)
),

placed as (
    select
        *,
        row_number() over (partition by island order by size, print_number) as size_position,
        row_number() over (
            partition by island order by expiry_number, print_number
        ) as expiry_position,
        row_number() over (
            partition by island order by contract_number, print_number
        ) as contract_position
    from unsolved
),

compared as (
    select
        *,
        bool_and(size_position = position) over (partition by island) as is_size_same,
        bool_and(expiry_position = position) over (partition by island) as is_expiry_same,
        bool_and(contract_position = position) over (partition by island) as is_contract_same
    from placed
),

listed as (
    select * replace (position as position), island * 4 as listing from compared
    union all
    select * replace (size_position as position), island * 4 + 1 from compared
    where not is_size_same
    union all
    select * replace (expiry_position as position), island * 4 + 2 from compared
    where not is_expiry_same
    union all
    select * replace (contract_position as position), island * 4 + 3 from compared
    where not is_contract_same
)

select
    listing,
    island,
    position,
    island_prints,
    print_number,
    contract_number,
    size,
    cash_cents,
    is_penny,
    printed_us,
    lane_scale,
    loose_cost
from listed
