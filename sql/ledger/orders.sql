-- ledger.orders: every parent order of the session as it stands, by its effect on the book.
-- grain: order_id
-- reads: fold.editions, ledger.order_gammas, ledger.placed, tape.session
with

-- the ranking sorts only what it goes by: orders are wide
ranks as (
    select
        orders.edition_id,
        row_number() over (
            order by
                orders.gross_premium_usd >= session.min_premium_usd desc,
                abs(gammas.dealer_gamma_musd_per_point) desc nulls last,
                orders.gross_premium_usd desc,
                orders.order_id
        )::integer as ledger_rank
    from fold.editions as orders
    cross join tape.session as session
    inner join ledger.order_gammas as gammas using (edition_id)
    where orders.superseded_at is null
)

select
    placed.session_date,
    placed.order_id,
    placed.minute_et,
    placed.printed_at,
    placed.last_printed_at,
    placed.known_at,
    placed.structure,
    placed.legs_text,
    placed.main_expiry,
    placed.leg_count,
    placed.print_count,
    placed.size,
    placed.contracts,
    placed.gross_premium_usd,
    placed.net_price,
    placed.net_premium_usd,
    placed.sign,
    placed.side_z,
    placed.side_reason,
    placed.fold_basis,
    placed.fold_rule,
    placed.fold_confidence,
    placed.condition,
    placed.print_class,
    placed.flags,
    placed.dealer_gamma_musd_per_point,
    placed.gamma_null_reason,
    placed.spot,
    placed.flip,
    placed.flip_distance_points,
    placed.flip_side,
    placed.flip_null_reason,
    placed.is_in_ledger,
    ranks.ledger_rank,
    placed.side_probability,
    placed.visible_at,
    placed.revision_number
from ledger.placed as placed
inner join ranks using (edition_id)
order by ranks.ledger_rank
