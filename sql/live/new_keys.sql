-- live.new_keys: the cancel key of each new print: a number that a cancel of it would repeat.
-- grain: sequence
-- reads: live.arrivals, live.new_cancels
select
    arrivals.sequence,
    cancel_key(arrivals) as key,
    cancels.sequence is not null as is_cancel
from live.arrivals as arrivals
left join live.new_cancels as cancels using (sequence)
