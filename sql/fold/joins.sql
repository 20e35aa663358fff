-- fold.joins: parts that are cheaper as one package than as two, two and two: halves of a condor
-- that printed apart, or a package and the leg that came late.
-- grain: piece_id
-- reads: fold.pass, fold.pieces
with

parts as (
    select
        piece_id,
        any_value(lane) as lane,
        any_value(lane_scale) as lane_scale,
        bool_or(is_loose) as is_loose,
        coalesce(any_value(cost_thousandths), sum(loose_cost)::bigint) as cost_thousandths,
        any_value(unit) as unit,
        coalesce(any_value(leg_count), 1) as leg_count,
        min(printed_us) as first_us,
        max(printed_us) as last_us
    from fold.pieces
    group by piece_id
),

-- what is near enough to be looked at together; buckets make that a join of equals
bucketed as (
    select
        parts.*,
        parts.first_us // (2 * pass.join_gap_us * parts.lane_scale) as bucket,
        case
            when parts.lane_scale > 1 then pass.join_gap_us * parts.lane_scale
            else least(pass.join_gap_us, pass.widest_gap_us)
        end as loose_gap_us,
        pass.merge_span_us * parts.lane_scale as merge_span_us
    from parts
    cross join fold.pass as pass
),

reaching as (
    select *, unnest([bucket - 1, bucket, bucket + 1]) as reached_bucket from bucketed
),

pairs as (
    select
        earlier.piece_id << 32 | later.piece_id as package_id,
        earlier.piece_id as earlier_id,
        later.piece_id as later_id,
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
),

sides as (
    select package_id, unnest([earlier_id, later_id]) as piece_id from pairs
),

united_prints as (
    select
        sides.package_id,
        pieces.contract_number,
        pieces.size,
        pieces.cash_cents,
        pieces.is_penny,
        pieces.printed_us,
        pieces.lane_scale
    from sides
    inner join fold.pieces as pieces using (piece_id)
),

gains as (
    select
        pairs.earlier_id,
        pairs.later_id,
        judged.cost_thousandths,
        judged.unit,
        judged.leg_count,
        pairs.cost_apart - judged.cost_thousandths as gain
    from judged_packages('united_prints') as judged
    inner join pairs using (package_id)
    cross join fold.pass as pass
    where judged.evidence <> 'weak'
        and judged.cost_thousandths < pairs.cost_apart
        -- fills of the same contracts meet as fills of one parent, where their nets are compared
        and judged.leg_count > pairs.longest_part
        -- two complete packages are one only in a shape that is traded as one
        and (pairs.has_loose or judged.rarity <= pass.plain_rarity)
),

best as (
    select *
    from gains
    qualify row_number() over (partition by earlier_id order by gain desc, later_id) = 1
        and row_number() over (partition by later_id order by gain desc, earlier_id desc) = 1
)

-- a part may be the later half of one join and the earlier half of another: only whole chains of
-- two are taken, the rest meets in the next round
select
    unnest([best.earlier_id, best.later_id]) as piece_id,
    best.earlier_id as fill_id,
    best.cost_thousandths,
    best.unit,
    best.leg_count
from best
anti join best as before on before.later_id = best.earlier_id
anti join best as after on after.earlier_id = best.later_id
