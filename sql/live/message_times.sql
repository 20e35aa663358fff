-- live.message_times: the instant at which the newest message of each minute of the new prints
-- became known.
-- grain: known_at
-- reads: live.arrivals, tape.conditions, tape.session
select max(arrivals.known_at) as known_at
from live.arrivals as arrivals
cross join tape.session as session
left join tape.conditions as conditions on conditions.letter = arrivals.condition
where symbol_of(arrivals.root) = session.symbol
    and coalesce(conditions.ledger, 'include') <> 'exclude'
    -- a cancel counts wherever it comes, and also while it waits for its print
    and (
        coalesce(conditions.is_cancel, false)
        or arrivals.printed_at >= session.opens_at and arrivals.printed_at < session.closes_at
    )
group by date_trunc('minute', arrivals.known_at)
