-- fold.found_prints: the prints of each package found by a pass, as it adds them to
-- fold.fill_prints. A fill is one execution of a package, named by its first print.
-- grain: print_number
-- reads: fold.islands, fold.listings, fold.segments, fold.whole_islands
-- param: level_us, pass_number, pass_rule
with

found as (
    select
        islands.print_number,
        -- an island is named by its first print as well
        islands.island as fill_id,
        'island' as shape_rule,
        whole.cost_thousandths,
        whole.unit,
        whole.leg_count
    from fold.islands as islands
    inner join fold.whole_islands as whole on whole.package_id = islands.island
    union all
    select
        listings.print_number,
        min(listings.print_number) over (partition by segments.package_id),
        'segment',
        segments.cost_thousandths,
        segments.unit,
        segments.leg_count
    from fold.listings as listings
    inner join fold.segments as segments
        on segments.listing = listings.listing
        and listings.position between segments.first_position and segments.last_position
)

select
    print_number,
    fill_id,
    concat_ws(' ', nullif($pass_rule, ''), shape_rule, $level_us || ' us') as fold_rule,
    cost_thousandths,
    unit,
    leg_count,
    $pass_number::integer as pass_number
from found
