-- fold.parent_orders: every order of the session: a package, a burst of single prints, or a print.
-- grain: order_id
-- reads: fold.abandoned_legs, fold.legs, fold.order_patterns, fold.order_signs, fold.order_totals
-- param: parent_gap_floor_us, parent_gap_legacy_us, parent_gap_us, visible_gaps
with

summed as (
    select
        parent_id,
        sum(package_sign * premium_usd::bigint)::double as pattern_premium_usd,
        coalesce(bool_or(customer_sign * own_quote_sign < 0), false) as do_legs_disagree
    from fold.legs
    group by parent_id
),

described as (
    select
        totals.*,
        signs.confidence,
        signs.sign,
        signs.z,
        signs.side_reason,
        signs.side_probability,
        signs.side_deviation,
        summed.pattern_premium_usd,
        patterns.chosen_by,
        case
            when totals.leg_count = 1 then 'single'
            when patterns.parent_id is null then 'custom'
            when signs.sign < 0 then patterns.structure_when_sold
            when signs.sign > 0 then patterns.structure
            -- without a side the two names that depend on it fall back to the plainer one
            when patterns.structure = 'back_spread' then 'ratio_spread'
            when patterns.structure = 'put_spread_collar' then 'three_way'
            else patterns.structure
        end as structure,
        case
            when totals.leg_count = 1 and totals.fold_rule not in ('orphan', 'leftover') then []
            else list_filter([
                case when totals.fold_rule = 'orphan' then 'ml_orphan' end,
                case when totals.fold_rule = 'leftover' then 'leftover' end,
                case when abandoned.parent_id is not null then 'leg_cancelled' end,
                case when patterns.is_hedged_with_combo then 'hedged_with_combo' end,
                case when patterns.is_off_grid then 'off_grid' end,
                case when patterns.chosen_by = 'ambiguous' then 'ambiguous' end,
                case when totals.leg_count > 1 and summed.do_legs_disagree then 'legs_disagree' end
            ], lambda flag: flag is not null)
        end as flags
    from fold.order_totals as totals
    inner join fold.order_signs as signs using (parent_id)
    inner join summed using (parent_id)
    left join fold.order_patterns as patterns using (parent_id)
    left join fold.abandoned_legs as abandoned using (parent_id)
)

select
    order_id,
    first_sequence,
    printed_at,
    last_printed_at,
    greatest(
        known_at,
        last_printed_at + to_microseconds($visible_gaps::bigint * case print_class
            when 'floor' then $parent_gap_floor_us::bigint
            when 'legacy' then $parent_gap_legacy_us::bigint
            else $parent_gap_us::bigint
        end)
    ) as visible_at,
    known_at,
    minute_et,
    case when condition is null then 'prints' else 'conditions' end as fold_basis,
    fold_rule,
    confidence,
    condition,
    case
        when leg_count = 1 and not is_multi_leg and print_class = 'electronic' then 'single'
        else print_class
    end as print_class,
    print_count,
    leg_count,
    structure,
    flags,
    unit::integer as size,
    contracts::integer as contracts,
    cash_cents::double as gross_premium_usd,
    case when sign = 0 then abs(pattern_premium_usd) else sign * pattern_premium_usd end
        as net_premium_usd,
    sign,
    z,
    side_reason,
    chosen_by,
    side_probability,
    side_deviation
from described
