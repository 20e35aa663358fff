-- fold.folded: the orders of the zones, each as one value: what is said of it, its legs, its
-- prints. The prints of a round have numbers of their own: here they have those of the tape.
-- grain: zone, round, order_id
-- reads: fold.legs, fold.news_zones, fold.order_prints, fold.parent_orders, fold.zone_prints
with

-- by itself: the orders are looked up by their first print, not compared with every zone
zone_prints as materialized (
    select prints.*, zones.first_us, zones.last_us
    from fold.zone_prints as prints
    inner join fold.news_zones as zones using (zone)
),

zoned as (
    select
        prints.zone,
        prints.round,
        left(orders.order_id, 22) || prints.own_sequence as order_id,
        orders.order_id as fold_order_id,
        prints.own_sequence,
        orders
    from fold.parent_orders as orders
    inner join zone_prints as prints on prints.sequence = orders.first_sequence
    where epoch_us(orders.printed_at) <= prints.last_us
        and epoch_us(orders.last_printed_at) >= prints.first_us
),

legs as (
    select
        zoned.zone,
        zoned.round,
        zoned.order_id,
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
    from zoned
    inner join fold.legs as legs on legs.order_id = zoned.fold_order_id
    group by all
),

prints as (
    select
        zoned.zone,
        zoned.round,
        zoned.order_id,
        list_sort(list({
            'sequence': prints.own_sequence,
            'leg_number': order_prints.leg_number
        })) as prints
    from zoned
    inner join fold.order_prints as order_prints on order_prints.order_id = zoned.fold_order_id
    inner join zone_prints as prints on prints.sequence = order_prints.sequence
    group by all
)

select
    zoned.zone,
    zoned.round,
    zoned.order_id,
    struct_update(
        zoned.orders, order_id := zoned.order_id, first_sequence := zoned.own_sequence
    ) as folded,
    legs.legs,
    prints.prints
from zoned
inner join legs using (zone, round, order_id)
inner join prints using (zone, round, order_id)
