-- views.tape_findings: the measures of the tape with their limits, as people read them.
-- grain: measure
-- reads: ledger.tape_findings
select
    measure,
    coalesce(printf('%.6g', value), '-') as "value",
    coalesce(printf('%.6g', doubtful), '') as "doubtful from",
    coalesce(printf('%.6g', bad), '') as "bad from",
    coalesce(printf('%.6g', refused), '') as "refused from",
    coalesce(grade, '') as grade
from ledger.tape_findings
order by limit_number
