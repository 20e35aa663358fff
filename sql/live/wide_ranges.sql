-- live.wide_ranges: ranges of the session that most likely contain those of fold.affected_ranges,
-- computed before the orders near the changes are known. An order is assumed to extend at most half
-- a window beyond the window of a change; the same margin is added again around the range.
-- grain: range_number
-- reads: fold.late_changes
-- param: window_slow_us, window_us
with

marked_starts as (
    select
        partition_number,
        window_us,
        epoch_us(printed_at) as printed_us,
        -- ranges that share prints are merged
        coalesce(
            epoch_us(printed_at) - lag(epoch_us(printed_at)) over in_time > 6 * window_us, true
        ) as is_start
    from (
        select
            *,
            case when is_slow then $window_slow_us::bigint else $window_us::bigint end as window_us
        from fold.late_changes
    )
    window in_time as (partition by partition_number order by printed_at)
),

numbered as (
    select
        *,
        sum(is_start::integer) over (order by partition_number, printed_us)::integer
            as range_number
    from marked_starts
)

select
    range_number,
    any_value(partition_number) as partition_number,
    min(printed_us) - any_value(window_us) * 3 // 2 as first_us,
    max(printed_us) + any_value(window_us) * 3 // 2 as last_us,
    min(printed_us) - any_value(window_us) * 3 as from_us,
    max(printed_us) + any_value(window_us) * 3 as to_us
from numbered
group by range_number
