-- fold.runs: in islands that are not one package, every stretch of a listing that could be one.
-- grain: package_id
-- reads: fold.listings, fold.pass
with

-- a bit for each print of an island and, up to each print of a listing, those before it
marked as (
    select
        *,
        case when island_prints <= 62 then 1::bigint << (island_position - 1) end as own_bit,
        sum(own_bit) over (partition by listing order by position) - own_bit as bits_before
    from fold.listings
),

stretches as (
    select
        starts.listing,
        starts.position as first_position,
        ends.position as last_position,
        starts.listing * 1048576 * 64 + starts.position * 64 + ends.position - starts.position
            as package_id,
        ends.bits_before + ends.own_bit - starts.bits_before as bits
    from marked as starts
    cross join fold.pass as pass
    inner join marked as ends
        on ends.listing = starts.listing
        and ends.position > starts.position
        and ends.position < starts.position + pass.longest_run
    union all
    -- an island of many small fills may be one package all the same
    select listing, 1, any_value(island_prints), listing * 1048576 * 64 + 63, null
    from fold.listings
    cross join fold.pass as pass
    where island_prints > pass.longest_run and listing % 4 = 0
    group by listing
),

-- a third of them hold the same prints as one of another listing of the island, and are judged once
firsts as (
    select listing // 4 as island, bits, min(package_id) as judged_id
    from stretches
    where bits is not null
    group by island, bits
),

judged_once as (
    select stretches.*, coalesce(firsts.judged_id, stretches.package_id) as judged_id
    from stretches
    left join firsts on firsts.island = stretches.listing // 4 and firsts.bits = stretches.bits
),

stretch_prints as (
    select
        stretches.package_id,
        prints.contract_number,
        prints.size,
        prints.cash_cents,
        prints.is_penny,
        prints.printed_us,
        prints.gap_scale
    from judged_once as stretches
    inner join fold.listings as prints
        on prints.listing = stretches.listing
        and prints.position between stretches.first_position and stretches.last_position
    where stretches.package_id = stretches.judged_id
)

select
    stretches.package_id,
    stretches.listing,
    stretches.first_position,
    stretches.last_position,
    judged.cost_thousandths,
    judged.evidence,
    judged.rarity,
    judged.unit,
    judged.leg_count
from judged_packages('stretch_prints') as judged
inner join judged_once as stretches on stretches.judged_id = judged.package_id
cross join fold.pass as pass
where judged.evidence <> 'weak' or pass.is_weak_allowed
