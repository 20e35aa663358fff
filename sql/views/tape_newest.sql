-- views.tape_newest: when the newest row of each dataset of the tape was known, UTC, of the
-- session's symbol.
-- grain: dataset
-- reads: tape.prints, tape.quotes, tape.session, tape.spots
with

roots as (
    select root, max(known_at) as newest_at
    from tape.prints
    group by root
),

instants as (
    select 'prints' as dataset, max(newest_at) as newest_at
    from roots
    where symbol_of(root) = (select symbol from tape.session)
    union all
    select 'quotes' as dataset, max(quoted_at) as newest_at
    from tape.quotes
    union all
    select 'spots' as dataset, max(spotted_at) as newest_at
    from tape.spots
)

select dataset, strftime(newest_at, '%Y-%m-%dT%H:%M:%SZ') as newest_at
from instants
where newest_at is not null
order by dataset
