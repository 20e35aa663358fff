-- fold.range_orders: the orders of the affected ranges, each as one value: its attributes, legs and
-- prints. The prints of a round have numbers of their own; here they have those of the tape.
-- grain: range_number, round, order_id
-- reads: fold.affected_ranges, fold.legs, fold.order_prints, fold.parent_orders, fold.range_prints
with

-- materialized: orders are looked up by their first print, not compared with every range
range_prints as materialized (
    select prints.*, ranges.first_us, ranges.last_us
    from fold.range_prints as prints
    inner join fold.affected_ranges as ranges using (range_number)
),

orders_in_range as (
    select
        prints.range_number,
        prints.round,
        left(orders.order_id, 22) || prints.own_sequence as order_id,
        orders.order_id as fold_order_id,
        prints.own_sequence,
        orders
    from fold.parent_orders as orders
    inner join range_prints as prints on prints.sequence = orders.first_sequence
    where epoch_us(orders.printed_at) <= prints.last_us
        and epoch_us(orders.last_printed_at) >= prints.first_us
),

legs as (
    select
        orders_in_range.range_number,
        orders_in_range.round,
        orders_in_range.order_id,
        list_sort(list({
            'leg_number': legs.leg_number,
            'root': legs.root,
            'expiry': legs.expiry,
            'strike': legs.strike,
            'option_type': legs.option_type,
            'ratio': legs.ratio,
            'contracts': legs.contracts,
            'premium_usd': legs.premium_usd,
            'average_price': legs.average_price,
            'package_sign': legs.package_sign,
            'customer_sign': legs.customer_sign,
            'own_quote_sign': legs.own_quote_sign
        })) as legs
    from orders_in_range
    inner join fold.legs as legs on legs.order_id = orders_in_range.fold_order_id
    group by all
),

prints as (
    select
        orders_in_range.range_number,
        orders_in_range.round,
        orders_in_range.order_id,
        list_sort(list({
            'sequence': prints.own_sequence,
            'leg_number': order_prints.leg_number
        })) as prints
    from orders_in_range
    inner join fold.order_prints as order_prints
        on order_prints.order_id = orders_in_range.fold_order_id
    inner join range_prints as prints on prints.sequence = order_prints.sequence
    group by all
)

select
    orders_in_range.range_number,
    orders_in_range.round,
    orders_in_range.order_id,
    struct_update(
        orders_in_range.orders,
        order_id := orders_in_range.order_id,
        first_sequence := orders_in_range.own_sequence
    ) as folded,
    legs.legs,
    prints.prints
from orders_in_range
inner join legs using (range_number, round, order_id)
inner join prints using (range_number, round, order_id)
