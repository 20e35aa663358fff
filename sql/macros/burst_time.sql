-- An instant of a span pressed into the first part of it, `factor` times as fast; others stay.
create or replace macro burst_time(instant, from_ms, span_ms, factor) as
    case
        when epoch_us(instant) >= from_ms::bigint * 1000
            and epoch_us(instant) < (from_ms::bigint + span_ms::bigint) * 1000
        then make_timestamp(
            from_ms::bigint * 1000
            + (epoch_us(instant) - from_ms::bigint * 1000) // factor::bigint
        )
        else instant
    end
