-- simulate.truth_prints: the true order, leg and fill of every print but cancels.
-- grain: session_date, sequence
-- reads: simulate.raw_prints
-- param: has_conditions, session
select
    $session::date as session_date,
    sequence::bigint as sequence,
    parent_id::bigint as parent_id,
    leg_number,
    fill_number,
    is_cancelled = 1 as is_cancelled
from simulate.raw_prints
where is_cancel = 0 and ($has_conditions or is_cancelled = 0)
order by sequence
