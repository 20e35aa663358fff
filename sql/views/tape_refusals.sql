-- views.tape_refusals: why the tape cannot carry a ledger.
-- grain: reason
-- reads: ledger.tape_findings
select reason
from ledger.tape_findings
where grade = 'refused'
order by limit_number
