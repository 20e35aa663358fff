-- audit.grades_have_reasons: a level without an outcome or a probability without a judgement needs
-- a reason; a level that was touched has an instant, and no strike is graded twice.
-- grain: minute_et, book_basis
-- reads: ledger.level_grades, ledger.regime_grades
select minute_et, book_basis
from ledger.level_grades
group by minute_et, book_basis
having
    bool_or((outcome is null) <> (reason is not null))
    or bool_or(outcome in ('held', 'broken') and touched_at is null)
    or bool_or(outcome = 'untouched' and touched_at is not null)
    or count(*) filter (role = 'level') <> 2
    or count(strike) <> count(distinct (kind, role, strike)) filter (strike is not null)
union all
select minute_et, book_basis
from ledger.regime_grades
group by minute_et, book_basis
having
    count(*) <> 1
    or bool_or((reason is null) <> (p_positive is not null and is_calm is not null))
