-- fold.pairs: pairs of parts that printed near enough to be one package. A pair that an earlier
-- pass refused is not judged again. Its first and last prints, print counts and legs identify its
-- prints: packages only grow, and no print can appear between the ends of a loose part.
-- grain: package_id
-- reads: fold.pass, fold.pieces, fold.refused_pairs
with

parts as (
    select
        piece_id,
        -- a package of two letters belongs to the stream of its first print
        arg_min(stream, print_number) as stream,
        arg_min(gap_scale, print_number) as gap_scale,
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

-- parts near enough to be compared; buckets make that an equality join
bucketed as (
    select
        parts.*,
        parts.first_us // (2 * pass.join_gap_us * parts.gap_scale) as bucket,
        case
            when parts.gap_scale > 1
                then least(pass.join_gap_us, parts.widest_level_us) * parts.gap_scale
            else least(pass.join_gap_us, pass.widest_gap_us)
        end as loose_gap_us,
        pass.merge_span_us * parts.gap_scale as merge_span_us
    from parts
    cross join fold.pass as pass
),

near_buckets as (
    select *, unnest([bucket - 1, bucket, bucket + 1]) as near_bucket from bucketed
),

near_pairs as (
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
    from near_buckets as earlier
    inner join bucketed as later
        on later.stream = earlier.stream
        and later.bucket = earlier.near_bucket
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

from near_pairs
anti join fold.refused_pairs using (
    package_id, part_legs, earlier_last, later_last, earlier_prints, later_prints
)
