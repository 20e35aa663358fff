-- fold.late_rounds: the states at which a range changed, numbered: the fold of round 1 held until
-- the first of them, and so on.
-- grain: range_number, round
-- reads: fold.affected_ranges, fold.late_changes
select
    ranges.range_number,
    row_number() over (
        partition by ranges.range_number order by state_after(changes.known_at)
    )::integer as round,
    -- the first state that knows better
    state_after(changes.known_at) as until_state_at,
    max(changes.known_at) as until_at,
    bool_or(changes.change_type = 'late_print') as has_late_print
from fold.late_changes as changes
inner join fold.affected_ranges as ranges
    on ranges.partition_number = changes.partition_number
    and epoch_us(changes.printed_at) between ranges.first_us and ranges.last_us
group by ranges.range_number, state_after(changes.known_at)
