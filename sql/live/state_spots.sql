-- live.state_spots: the index of the last minutes, and of its other values one known before
-- the new states, or else the first that is: it says from when on the tape has the index.
-- grain: spotted_at
-- reads: tape.spots
-- param: since_ms, until_ms
with

-- read twice, each time but a little of it
others as not materialized (
    select *
    from tape.spots
    where spotted_at >= make_timestamp($until_ms::bigint * 1000)
        or spotted_at < make_timestamp($since_ms::bigint * 1000) - interval 6 minutes
)

select *
from tape.spots
where spotted_at < make_timestamp($until_ms::bigint * 1000)
    and spotted_at >= make_timestamp($since_ms::bigint * 1000) - interval 6 minutes
union all
(
    select *
    from others
    where known_at < make_timestamp($since_ms::bigint * 1000)
    limit 1
)
union all
(
    select *
    from others
    where known_at >= make_timestamp($since_ms::bigint * 1000)
        and known_at < make_timestamp($until_ms::bigint * 1000)
    order by known_at
    limit 1
)
