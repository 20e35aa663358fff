-- fold.runs: in islands that are not one package, every stretch of prints that could be one.
-- grain: package_id
-- reads: fold.islands, fold.whole_islands, tape.session
-- param: is_weak_allowed, longest_run
with

unsolved as (
    select * from fold.islands
    where island_prints > 2
        and island not in (select package_id from fold.whole_islands)
),

stretches as (
    select
        starts.island,
        starts.position as first_position,
        ends.position as last_position,
        starts.print_number * 64 + least(ends.position - starts.position, 63) as package_id
    from unsolved as starts
    inner join unsolved as ends
        on ends.island = starts.island
        and ends.position > starts.position
        and ends.position < starts.position + $longest_run::integer
    union all
    -- an island of many small fills may be one package all the same
    select island, 1, any_value(island_prints), min(print_number) * 64 + 63
    from unsolved
    where island_prints > $longest_run::integer
    group by island
),

stretch_prints as (
    select
        stretches.package_id,
        unsolved.contract_number,
        unsolved.size,
        unsolved.cash_cents,
        unsolved.is_penny,
        unsolved.printed_us,
        unsolved.lane_scale
    from stretches
    inner join unsolved
        on unsolved.island = stretches.island
        and unsolved.position between stretches.first_position and stretches.last_position
)

select
    judged.package_id,
    stretches.island,
    stretches.first_position,
    stretches.last_position,
    judged.cost_thousandths,
    judged.evidence,
    judged.unit,
    judged.leg_count
from judged_packages('stretch_prints', (select symbol from tape.session)) as judged
inner join stretches using (package_id)
where judged.evidence <> 'weak' or $is_weak_allowed::boolean
