-- views.ledger_rows: the orders of the ledger, in ledger order, for the wire; their legs are in
-- views.ledger_legs.
-- grain: order_id
-- reads: ledger.orders
select
    ledger_rank,
    order_id,
    minute_et,
    dealer_gamma_musd_per_point,
    gamma_null_reason,
    structure,
    legs_text,
    main_expiry::varchar as main_expiry,
    size,
    contracts,
    net_premium_usd,
    flip_distance_points,
    flip_side,
    fold_confidence,
    fold_basis,
    flags,
    side_probability,
    side_reason,
    fold_rule,
    print_count,
    convention_distance_points,
    convention_side
from ledger.orders
where is_in_ledger
order by ledger_rank
