-- ledger.orders: every parent order of the session, placed against the book of its minute.
-- grain: order_id
-- reads: fold.legs, fold.parent_orders, ledger.leg_texts, ledger.order_gammas, levels.levels, tape.session
with

nets as (
    select
        order_id,
        -- null where no single pattern of signs could be chosen
        case when count(*) = count(package_sign) then exact_sum(package_sign * premium_usd) end
            as pattern_premium_usd
    from fold.legs
    group by order_id
),

-- the ranking sorts only what it goes by: orders are wide
ranks as (
    select
        orders.order_id,
        gammas.main_expiry,
        gammas.dealer_gamma_musd_per_point,
        gammas.gamma_null_reason,
        orders.gross_premium_usd >= session.min_premium_usd as is_in_ledger,
        row_number() over (
            order by
                orders.gross_premium_usd >= session.min_premium_usd desc,
                abs(gammas.dealer_gamma_musd_per_point) desc nulls last,
                orders.gross_premium_usd desc,
                orders.order_id
        )::integer as ledger_rank
    from fold.parent_orders as orders
    cross join tape.session as session
    inner join ledger.order_gammas as gammas using (order_id)
),

placed as (
    select
        session.session_date,
        orders.*,
        texts.legs_text,
        ranks.main_expiry,
        ranks.dealer_gamma_musd_per_point,
        ranks.gamma_null_reason,
        ranks.is_in_ledger,
        ranks.ledger_rank,
        nets.pattern_premium_usd,
        levels.spot,
        levels.flip,
        levels.reason as level_reason
    from fold.parent_orders as orders
    cross join tape.session as session
    inner join ledger.leg_texts as texts using (order_id)
    inner join ranks using (order_id)
    inner join nets using (order_id)
    -- the state of the minute an order printed in was known before it printed
    left join levels.levels as levels
        on levels.minute_et = orders.minute_et and levels.book_basis = 'measured'
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
    leg_count::integer as leg_count,
    print_count::integer as print_count,
    size::integer as size,
    contracts::integer as contracts,
    gross_premium_usd,
    pattern_premium_usd / (100 * size) as net_price,
    abs(pattern_premium_usd) as net_premium_usd,
    sign::integer as sign,
    z as side_z,
    side_reason,
    fold_basis,
    fold_rule,
    confidence as fold_confidence,
    condition,
    print_class,
    flags,
    dealer_gamma_musd_per_point,
    gamma_null_reason,
    spot,
    flip,
    abs(spot - flip) as flip_distance_points,
    case when spot >= flip then 'over' when spot < flip then 'under' end as flip_side,
    case when flip is null or spot is null then coalesce(level_reason, 'no_level') end
        as flip_null_reason,
    is_in_ledger,
    ledger_rank,
    side_probability
from placed
order by ledger_rank
