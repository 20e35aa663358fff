-- views.set_apart: the prints that an audit names, or those of the orders that it names, which are
-- not set apart as yet.
-- grain: sequence
-- reads: fold.order_prints, tape.prints, tape.set_apart
-- param: name, orders, sequences
with

named as (
    select unnest($sequences::varchar[])::bigint as sequence
    union
    select sequence
    from fold.order_prints
    where order_id in (select unnest($orders::varchar[]))
)

select distinct sequence, $name::varchar as audit
from named
where sequence not in (select sequence from tape.set_apart)
    and sequence in (select sequence from tape.prints)
