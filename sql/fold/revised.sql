-- fold.revised: every version of the orders that late changes altered, with the instants between
-- which it was the current one, dated by the changes within its window. A version that no state
-- ever knew is not included.
-- grain: order_id, visible_at
-- reads: fold.affected_ranges, fold.late_changes, fold.late_rounds, fold.spans
-- param: window_slow_us, window_us
with

range_changes as (
    select
        rounds.range_number,
        rounds.round,
        changes.sequence,
        changes.change_type = 'late_print' as is_late_print,
        epoch_us(changes.printed_at) as printed_us,
        changes.known_at,
        case when changes.is_slow then $window_slow_us::bigint else $window_us::bigint end
            as window_us
    from fold.late_changes as changes
    inner join fold.affected_ranges as ranges
        on ranges.partition_number = changes.partition_number
        and epoch_us(changes.printed_at) between ranges.first_us and ranges.last_us
    inner join fold.late_rounds as rounds
        on rounds.range_number = ranges.range_number
        and rounds.until_state_at = state_after(changes.known_at)
),

near_changes as (
    select
        spans.range_number,
        spans.order_id,
        spans.first_round,
        range_changes.round,
        max(range_changes.known_at) as known_at,
        bool_or(range_changes.is_late_print) as has_late_print,
        bool_or(
            not range_changes.is_late_print
            and list_contains([x.sequence for x in spans.prints], range_changes.sequence)
        ) as is_cancelled
    from fold.spans as spans
    inner join range_changes
        on range_changes.range_number = spans.range_number
        and range_changes.round in (spans.first_round - 1, spans.last_round)
        and range_changes.printed_us
            between epoch_us(spans.folded.printed_at) - range_changes.window_us
            and epoch_us(spans.folded.last_printed_at) + range_changes.window_us
    group by all
),

dated as (
    select
        spans.*,
        -- an order may change far from the late change: at the other end of a chain of fills
        greatest(
            spans.folded.visible_at, coalesce(near_before.known_at, before.until_at)
        ) as visible_at,
        coalesce(near_after.known_at, after.until_at) as superseded_at,
        coalesce(near_after.has_late_print, after.has_late_print) as has_late_print,
        coalesce(near_after.is_cancelled, false) as is_cancelled,
        spans.first_round > 1 or after.until_at is not null as is_revised
    from fold.spans as spans
    left join fold.late_rounds as before
        on before.range_number = spans.range_number and before.round = spans.first_round - 1
    left join fold.late_rounds as after
        on after.range_number = spans.range_number and after.round = spans.last_round
    left join near_changes as near_before
        on near_before.range_number = spans.range_number and near_before.order_id = spans.order_id
        and near_before.first_round = spans.first_round
        and near_before.round = spans.first_round - 1
    left join near_changes as near_after
        on near_after.range_number = spans.range_number and near_after.order_id = spans.order_id
        and near_after.first_round = spans.first_round
        and near_after.round = spans.last_round
)

select
    order_id,
    visible_at,
    superseded_at,
    case
        when superseded_at is null then null
        when has_late_print and not is_cancelled then 'late_print'
        else 'cancel'
    end as superseded_by,
    row_number() over (partition by order_id order by visible_at)::integer as revision_number,
    folded,
    legs,
    prints
from dated
where is_revised
    and (superseded_at is null or state_after(visible_at) < state_after(superseded_at))
