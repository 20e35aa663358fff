-- tape.expiries: when contracts expire, and from when on it was known that there are such. ends_on is
-- the ET day of expires_at: another one than expiry where the exchange closed on that.
-- grain: root, expiry
-- reads:
-- param: expiries
select
    unnest.root as root,
    unnest.expiry as expiry,
    unnest.settlement as settlement,
    unnest.ends_on as ends_on,
    make_timestamp(unnest.at_ms * 1000) as expires_at,
    unnest.known_at::timestamp as known_at
from unnest(from_json(
    $expiries,
    '[{"root": "varchar", "expiry": "date", "settlement": "varchar", "ends_on": "date",
       "at_ms": "bigint", "known_at": "varchar"}]'
))
order by root, expiry
