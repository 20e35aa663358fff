-- simulate.arrived_prints: prints that came between two instants; what was printed in a span is
-- pressed into its first part, so many times as fast, for a burst.
-- grain: sequence
-- reads: the files of simulate.prints
-- param: burst_factor, burst_from_ms, burst_span_ms, since_ms, source, until_ms
with

pressed as (
    select * replace (
        burst_time(printed_at, $burst_from_ms, $burst_span_ms, $burst_factor) as printed_at,
        burst_time(quoted_at, $burst_from_ms, $burst_span_ms, $burst_factor) as quoted_at,
        burst_time(known_at, $burst_from_ms, $burst_span_ms, $burst_factor) as known_at
    )
    from read_parquet($source, hive_partitioning = false)
)

select *
from pressed
where known_at >= make_timestamp($since_ms::bigint * 1000)
    and known_at < make_timestamp($until_ms::bigint * 1000)
order by known_at, printed_at, sequence
