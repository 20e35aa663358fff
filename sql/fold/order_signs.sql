-- fold.order_signs: the side the customer of an order took, or the reason why it is undecided.
-- Reasons stand in the order in which they rule a side out.
-- grain: parent_id
-- reads: fold.order_confidence, fold.order_patterns, fold.order_sides, fold.order_totals
-- param: confidence_least, confidence_orphan, confidence_single
with

rated as (
    select
        totals.*,
        case
            when totals.fold_rule in ('single', 'burst') then $confidence_single::double
            when totals.fold_rule in ('orphan', 'leftover') then $confidence_orphan::double
            else confidence.confidence
        end as confidence
    from fold.order_totals as totals
    left join fold.order_confidence as confidence using (parent_id)
),

reasoned as (
    select
        rated.parent_id,
        rated.confidence,
        sides.z,
        sides.leaning,
        case
            when rated.print_class = 'cross' then 'cross'
            when rated.print_class = 'late' then 'late'
            when not rated.is_side_allowed then 'not_allowed'
            when rated.fold_rule in ('orphan', 'leftover') then 'orphan_leg'
            when rated.leg_count > 1 and patterns.parent_id is null then 'no_pattern'
            when rated.leg_count > 1 and patterns.signs is null then 'ambiguous'
            when rated.confidence < $confidence_least::double then 'low_confidence'
            else sides.reason
        end as side_reason,
        sides.side_probability,
        sides.side_deviation
    from rated
    left join fold.order_patterns as patterns using (parent_id)
    left join fold.order_sides as sides using (parent_id)
)

select
    parent_id,
    confidence,
    z,
    case when side_reason is null then leaning else 0 end as sign,
    side_reason,
    -- a side that is forbidden has no probability
    case when side_reason is null or side_reason in ('middle', 'undecided') then side_probability
    end as side_probability,
    case when side_probability is not null then side_deviation end as side_deviation
from reasoned
