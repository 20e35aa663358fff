-- fold.joins: parts that are cheaper as one package than as two, two and two: halves of a condor
-- that printed apart, or a package and the leg that came late; and which of them are joined.
-- grain: package_id
-- reads: fold.pairs, fold.pass, fold.pieces
with

sides as (
    select package_id, unnest([earlier_id, later_id]) as piece_id from fold.pairs
),

united_prints as (
    select
        sides.package_id,
        pieces.contract_number,
        pieces.size,
        pieces.cash_cents,
        pieces.is_penny,
        pieces.printed_us,
        pieces.gap_scale
    from sides
    inner join fold.pieces as pieces using (piece_id)
),

gains as (
    select
        pairs.package_id,
        pairs.earlier_id,
        pairs.later_id,
        judged.cost_thousandths,
        judged.unit,
        judged.leg_count,
        pairs.cost_apart - judged.cost_thousandths as gain
    from judged_packages('united_prints') as judged
    inner join fold.pairs as pairs using (package_id)
    cross join fold.pass as pass
    where judged.evidence <> 'weak'
        and judged.cost_thousandths < pairs.cost_apart
        -- fills of the same contracts meet as fills of one parent, where their nets are compared
        and judged.leg_count > pairs.longest_part
        -- two complete packages are one only in a shape that is traded as one
        and (pairs.has_loose or judged.rarity <= pass.plain_rarity)
),

ranked as (
    select
        *,
        row_number() over (partition by earlier_id order by gain desc, later_id) = 1
        and row_number() over (partition by later_id order by gain desc, earlier_id desc) = 1
            as is_best
    from gains
)

-- a part may be the later half of one join and the earlier half of another: only whole chains of
-- two are taken, the rest meets in the next round
select
    package_id,
    earlier_id,
    later_id,
    cost_thousandths,
    unit,
    leg_count,
    is_best
    and earlier_id not in (select later_id from ranked where is_best)
    and later_id not in (select earlier_id from ranked where is_best) as is_used
from ranked
