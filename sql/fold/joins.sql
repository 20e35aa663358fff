-- fold.joins: parts that are cheaper as one package than as two, two and two: halves of a condor
-- that printed apart, or a package and the leg that came late.
-- grain: piece_id
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
    inner join fold.pairs as pairs using (package_id)
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
