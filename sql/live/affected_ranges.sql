-- live.affected_ranges: ranges of the session whose orders the prints of the newest state may have
-- changed, with the prints needed to fold them again. A print farther than the window from an order
-- never changes it: a range holds the window around the changed prints, the orders in it, and the
-- orders that overlap those.
-- grain: range_number
-- reads: live.changed_prints, live.near_spans
-- param: window_slow_us, window_us
with

marked_starts as (
    select
        *,
        case when is_slow then $window_slow_us::bigint else $window_us::bigint end as window_us,
        -- at most the prints that both sides need to be folded again
        coalesce(printed_us - lag(printed_us) over in_time > 6 * window_us, true) as is_start
    from live.changed_prints
    window in_time as (partition by is_slow order by printed_us)
),

numbered as (
    select *, sum(is_start::integer) over (order by is_slow, printed_us)::integer as range_number
    from marked_starts
),

cores as (
    select
        range_number as core,
        any_value(is_slow) as partition_number,
        any_value(window_us) as window_us,
        min(printed_us) - any_value(window_us) as first_us,
        max(printed_us) + any_value(window_us) as last_us
    from numbered
    group by range_number
),

orders as (select is_slow as partition_number, first_us, last_us from live.near_spans)

select
    core as range_number,
    partition_number as is_slow,
    first_us,
    last_us,
    -- older changes in the range were folded with the prints within their window, too
    around_from_us - 2 * window_us as from_us,
    around_to_us + 2 * window_us as to_us
from stretched('cores', 'orders')
