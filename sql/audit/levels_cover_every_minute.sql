-- audit.levels_cover_every_minute: a missing minute would leave its orders without a level and
-- without a word about it.
-- grain: minute_et, book_basis
-- reads: levels.levels, tape.minutes
select minutes.minute_et, bases.book_basis, count(levels.minute_et) as row_count
from tape.minutes as minutes
cross join (values ('measured'), ('vol'), ('oi')) as bases (book_basis)
left join levels.levels as levels
    on levels.minute_et = minutes.minute_et and levels.book_basis = bases.book_basis
group by minutes.minute_et, bases.book_basis
having
    count(levels.minute_et) <> 1
    or bool_or(levels.flip is null and levels.reason is null)
    or bool_or(levels.spot is null and levels.flip is not null)
    or bool_or((levels.spot is null) <> (levels.spot_source is null))
    or bool_or((levels.spot_error is null) <> (levels.spot_source is distinct from 'parity'))
