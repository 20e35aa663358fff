-- live.message_times: when the newest message of each minute of the new prints became known.
-- grain: known_at
-- reads: fold.cancel_matches, live.arrivals, tape.conditions, tape.session
select max(arrivals.known_at) as known_at
from live.arrivals as arrivals
cross join tape.session as session
left join tape.conditions as conditions on conditions.letter = arrivals.condition
where symbol_of(arrivals.root) = session.symbol
    and coalesce(conditions.ledger, 'include') <> 'exclude'
    -- a cancel counts wherever it comes, if there is what it cancels
    and case
        when conditions.is_cancel
            then arrivals.sequence in (select cancel_sequence from fold.cancel_matches)
        else arrivals.printed_at >= session.opens_at and arrivals.printed_at < session.closes_at
    end
group by date_trunc('minute', arrivals.known_at)
