-- simulate.history_orders: the large orders of a session that was simulated by the minute.
-- grain: order_id
-- reads: simulate.shown_orders, tape.session
select
    session.session_date,
    strftime(session.session_date, '%Y%m%d-') || orders.number::integer as order_id,
    1::integer as revision_number,
    orders.minute_et,
    make_timestamp((orders.at_ms * 1000)::bigint) as printed_at,
    printed_at + interval 5 seconds as visible_at,
    null::timestamp as superseded_at,
    'single' as structure,
    orders.premium_usd as gross_premium_usd,
    case when not isnan(orders.gamma) then orders.gamma end as dealer_gamma_musd_per_point,
    case when isnan(orders.gamma) then 'no_side' end as gamma_null_reason,
    [orders.strike] as strikes
from simulate.shown_orders as orders
cross join tape.session as session
order by visible_at, order_id
