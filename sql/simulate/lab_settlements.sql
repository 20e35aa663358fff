-- simulate.lab_settlements: where a simulated session of LAB settled: the last index before its
-- close, or nobody knows.
-- grain: one row
-- reads: simulate.lab_settled, tape.session
select
    session.session_date,
    known_value(settled.value) as settlement,
    case when settlement is not null then 'last_index' end as source,
    case when settlement is not null then session.pm_expires_at - interval 1 second end
        as spotted_at,
    case when settlement is null then 'no_index' end as reason,
    null::double as settlement_error
from simulate.lab_settled as settled
cross join tape.session as session
