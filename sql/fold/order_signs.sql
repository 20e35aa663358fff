-- fold.order_signs: the side the customer of an order took, or the reason why it cannot be told.
-- Reasons stand in the order in which they rule a side out.
-- grain: parent_id
-- reads: fold.order_confidence, fold.order_patterns, fold.order_sides, fold.order_totals
-- param: confidence_least
with

reasoned as (
    select
        totals.parent_id,
        sides.z,
        sides.side,
        sides.side_if_outside,
        sides.reason,
        -- a floor combo may print outside the market by rule
        totals.condition = 't' and sides.reason = 'outside' as is_outside_allowed,
        case
            when totals.print_class = 'cross' then 'cross'
            when totals.print_class = 'late' then 'late'
            when not totals.is_side_allowed then 'not_allowed'
            when totals.fold_rule = 'orphan' then 'orphan_leg'
            when totals.leg_count > 1 and patterns.parent_id is null then 'no_pattern'
            when totals.leg_count > 1 and patterns.signs is null then 'ambiguous'
            when confidence.confidence < $confidence_least::double then 'low_confidence'
        end as forbidden
    from fold.order_totals as totals
    inner join fold.order_confidence as confidence using (parent_id)
    left join fold.order_patterns as patterns using (parent_id)
    left join fold.order_sides as sides using (parent_id)
)

select
    parent_id,
    z,
    case
        when forbidden is not null then 0
        when is_outside_allowed then side_if_outside
        else coalesce(side, 0)
    end as sign,
    case
        when forbidden is not null then forbidden
        when is_outside_allowed and side_if_outside <> 0 then null
        when side <> 0 then null
        else coalesce(reason, 'no_quote')
    end as side_reason
from reasoned
