-- views.known_orders: the orders of the ledger with their legs as they were known before an
-- instant, by the size of their effect: the result of `views.ledger_rows` without later data.
-- grain: order_id
-- reads: ledger.legs, ledger.revision_legs, ledger.versions
-- param: known_before_ms
with

known as (
    select *
    from ledger.versions
    where visible_at < make_timestamp($known_before_ms::bigint * 1000)
        and coalesce(superseded_at >= make_timestamp($known_before_ms::bigint * 1000), true)
),

-- a running session has the legs of an ended version in both
leg_versions as (
    select order_id, revision_number, leg_number, strike, option_type, customer_sign
    from ledger.legs
    union
    select order_id, revision_number, leg_number, strike, option_type, customer_sign
    from ledger.revision_legs
),

leg_lists as (
    select
        order_id,
        list_sort(list({
            'leg_number': leg_number,
            'strike': strike,
            'option_type': option_type,
            'customer_sign': customer_sign
        })) as legs
    from leg_versions
    semi join known using (order_id, revision_number)
    group by order_id
)

select
    known.order_id,
    known.minute_et,
    known.dealer_gamma_musd_per_point,
    known.gamma_null_reason,
    known.structure,
    known.legs_text,
    leg_lists.legs,
    known.main_expiry::varchar as main_expiry,
    known.size,
    known.contracts,
    known.net_premium_usd,
    known.flip_distance_points,
    known.flip_side,
    known.fold_confidence,
    known.fold_basis,
    known.flags,
    known.side_probability,
    known.side_reason,
    known.fold_rule,
    known.print_count,
    known.convention_distance_points,
    known.convention_side
from known
inner join leg_lists using (order_id)
order by
    abs(known.dealer_gamma_musd_per_point) desc nulls last,
    known.gross_premium_usd desc,
    known.order_id
