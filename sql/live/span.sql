-- live.span: the instant from which prints are needed to judge the quotes of the newest ones.
-- grain: one row
-- reads: fold.quote_trust, live.arrivals
-- param: trust_prints
with

-- the instants of as many judged prints before the first arrival, latest first
judged as (
    select max(trust.known_at, $trust_prints::bigint + 1) as known_ats
    from fold.quote_trust as trust
    where trust.is_judged
        and trust.known_at < (select coalesce(min(known_at), 'infinity') from live.arrivals)
)

-- the pause before a print is searched no farther back
select
    coalesce(
        known_ats[$trust_prints::bigint + 1] - interval 1 second, timestamp '1970-01-01'
    ) as trust_from
from judged
