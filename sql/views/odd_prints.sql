-- views.odd_prints: the prints of a session that the fold lost and took up again, and those that an
-- audit set apart.
-- grain: sequence, what
-- reads: fold.order_prints, fold.parent_orders, tape.prints, tape.set_apart
with

odd as (
    select order_prints.sequence, 'leftover' as what
    from fold.parent_orders as orders
    inner join fold.order_prints as order_prints using (order_id)
    where list_contains(orders.flags, 'leftover')
    union all
    select sequence, 'set apart by ' || audit
    from tape.set_apart
)

select
    odd.what,
    prints.sequence,
    prints.printed_at,
    prints.root,
    prints.expiry,
    prints.strike,
    prints.option_type,
    prints.size,
    prints.price,
    prints.condition
from odd
inner join tape.prints as prints using (sequence)
order by prints.printed_at, prints.sequence, odd.what
