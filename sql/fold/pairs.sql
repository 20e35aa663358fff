-- fold.pairs: parts that printed near enough to be one package, two and two. A pair that an earlier
-- pass refused is not judged again: its first and last prints, how many there are and its legs tell
-- that no print of it is another, for packages only grow, and between the ends of a loose part no
-- print can turn up.
-- grain: package_id
-- reads: fold.pass, fold.pieces, fold.refused_pairs
with

parts as (
    select
        piece_id,
        -- a package of two letters stands in the lane of its first print
        arg_min(lane, print_number) as lane,
        arg_min(lane_scale, print_number) as lane_scale,
        arg_min(widest_level_us, print_number) as widest_level_us,
        bool_or(is_loose) as is_loose,
        coalesce(any_value(cost_thousandths), sum(loose_cost)::bigint) as cost_thousandths,
        any_value(unit) as unit,
        coalesce(any_value(leg_count), 1) as leg_count,
        min(printed_us) as first_us,
        max(printed_us) as last_us,
        max(print_number) as last_print,
        count(*) as print_count
    from fold.pieces
    group by piece_id
),

-- what is near enough to be looked at together; buckets make that a join of equals
bucketed as (
    select
        parts.*,
        parts.first_us // (2 * pass.join_gap_us * parts.lane_scale) as bucket,
        case
            when parts.lane_scale > 1
                then least(pass.join_gap_us, parts.widest_level_us) * parts.lane_scale
            else least(pass.join_gap_us, pass.widest_gap_us)
        end as loose_gap_us,
        pass.merge_span_us * parts.lane_scale as merge_span_us
    from parts
    cross join fold.pass as pass
),

reaching as (
    select *, unnest([bucket - 1, bucket, bucket + 1]) as reached_bucket from bucketed
),

near as (
    select
        earlier.piece_id << 32 | later.piece_id as package_id,
        earlier.piece_id as earlier_id,
        later.piece_id as later_id,
        earlier.last_print as earlier_last,
        later.last_print as later_last,
        earlier.print_count as earlier_prints,
        later.print_count as later_prints,
        earlier.leg_count + later.leg_count as part_legs,
        greatest(earlier.leg_count, later.leg_count) as longest_part,
        earlier.is_loose or later.is_loose as has_loose,
        earlier.cost_thousandths + later.cost_thousandths as cost_apart
    from reaching as earlier
    inner join bucketed as later
        on later.lane = earlier.lane
        and later.bucket = earlier.reached_bucket
        and later.piece_id > earlier.piece_id
    where not (earlier.is_loose and later.is_loose)
        and later.leg_count + earlier.leg_count <= 7
        and case
            when earlier.is_loose or later.is_loose
                then later.first_us - earlier.last_us <= earlier.loose_gap_us
            -- halves are of one size; a hedge may be a fraction of what it hedges
            else greatest(earlier.unit, later.unit) % least(earlier.unit, later.unit) = 0
                and greatest(earlier.last_us, later.last_us) - earlier.first_us
                    <= earlier.merge_span_us
        end
)

from near
anti join fold.refused_pairs using (
    package_id, part_legs, earlier_last, later_last, earlier_prints, later_prints
)
