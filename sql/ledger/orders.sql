-- ledger.orders: every parent order of the session as it stands, by its effect on the book.
-- grain: order_id
-- reads: ledger.order_versions
with

ranked as (
    select *
    from ledger.order_versions
    where superseded_at is null
    order by
        is_in_ledger desc,
        abs(dealer_gamma_musd_per_point) desc nulls last,
        gross_premium_usd desc,
        order_id
)

select
    session_date,
    order_id,
    minute_et,
    printed_at,
    last_printed_at,
    known_at,
    structure,
    legs_text,
    main_expiry,
    leg_count,
    print_count,
    size,
    contracts,
    gross_premium_usd,
    net_price,
    net_premium_usd,
    sign,
    side_z,
    side_reason,
    fold_basis,
    fold_rule,
    fold_confidence,
    condition,
    print_class,
    flags,
    dealer_gamma_musd_per_point,
    gamma_null_reason,
    spot,
    flip,
    flip_distance_points,
    flip_side,
    flip_null_reason,
    is_in_ledger,
    -- numbered as they stand: one sort serves the rank and the order of the rows
    (row_number() over ())::integer as ledger_rank,
    side_probability,
    visible_at,
    revision_number,
    convention_flip,
    convention_distance_points,
    convention_side,
    spot_source,
    spot_error,
    side_deviation
from ranked
