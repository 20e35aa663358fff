-- fold.runs: in islands that are not one package, every stretch of a listing that could be one.
-- grain: package_id
-- reads: fold.listings, fold.pass
with

stretches as (
    select
        starts.listing,
        starts.position as first_position,
        ends.position as last_position,
        starts.listing * 1048576 * 64 + starts.position * 64 + ends.position - starts.position
            as package_id
    from fold.listings as starts
    cross join fold.pass as pass
    inner join fold.listings as ends
        on ends.listing = starts.listing
        and ends.position > starts.position
        and ends.position < starts.position + pass.longest_run
    union all
    -- an island of many small fills may be one package all the same
    select listing, 1, any_value(island_prints), listing * 1048576 * 64 + 63
    from fold.listings
    cross join fold.pass as pass
    where island_prints > pass.longest_run and listing % 4 = 0
    group by listing
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
    from stretches
    inner join fold.listings as prints
        on prints.listing = stretches.listing
        and prints.position between stretches.first_position and stretches.last_position
)

select
    judged.package_id,
    stretches.listing,
    stretches.first_position,
    stretches.last_position,
    judged.cost_thousandths,
    judged.evidence,
    judged.rarity,
    judged.unit,
    judged.leg_count
from judged_packages('stretch_prints') as judged
inner join stretches using (package_id)
cross join fold.pass as pass
where judged.evidence <> 'weak' or pass.is_weak_allowed
