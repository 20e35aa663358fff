-- live.keys_now: what a cancel of each new print would repeat, as a number.
-- grain: sequence
-- reads: live.arrivals, live.cancels_now
select
    arrivals.sequence,
    cancel_key(arrivals) as key,
    cancels.sequence is not null as is_cancel
from live.arrivals as arrivals
left join live.cancels_now as cancels using (sequence)
