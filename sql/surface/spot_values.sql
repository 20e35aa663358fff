-- surface.spot_values: every value of the index, and the last state that it serves. Before any
-- index value is known, a tape gives the underlying price that its prints carried: those of the
-- session's symbol, whose roots are those of tape.expiries. Of two values of an instant the one
-- with the greater sequence counts.
-- grain: spotted_at, sequence
-- reads: surface.sources, tape.expiries, tape.prints, tape.spots
with

sources as (
    select coalesce(spots_from, timestamp 'infinity') as spots_from
    from surface.sources
)

select
    spotted_at,
    known_at,
    -- the one that names its symbol
    (symbol is not null)::bigint as sequence,
    spot,
    timestamp 'infinity' as serves_until
from tape.spots
union all
select
    prints.printed_at,
    prints.known_at,
    prints.sequence,
    prints.underlying_price,
    sources.spots_from
from tape.prints as prints
cross join sources
-- later prints serve later minutes
where prints.printed_at < sources.spots_from
    and prints.underlying_price > 0
    and prints.root in (select root from tape.expiries)
