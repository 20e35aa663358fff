-- ledger.order_versions: every version of every parent order, matched with the book of its minute.
-- grain: edition_id
-- kind: view
-- reads: fold.edition_legs, fold.editions, ledger.leg_texts, ledger.order_gammas, levels.levels, tape.session
with

second_legs as (
    select edition_id from fold.edition_legs where leg_number = 2
),

-- of most orders, of one leg, it is the premium itself
nets as (
    select
        edition_id,
        -- null where no single pattern of signs could be chosen
        case
            when count(*) = count(package_sign)
                then sum(package_sign * premium_usd::bigint)::double
        end as pattern_premium_usd
    from fold.edition_legs
    semi join second_legs using (edition_id)
    group by edition_id
),

joined_orders as (
    select
        session.session_date,
        orders.*,
        texts.legs_text,
        gammas.main_expiry,
        gammas.dealer_gamma_musd_per_point,
        gammas.gamma_null_reason,
        orders.gross_premium_usd >= session.min_premium_usd as is_in_ledger,
        case when nets.edition_id is null then orders.gross_premium_usd
            else nets.pattern_premium_usd
        end as pattern_premium_usd,
        levels.spot,
        levels.spot_source,
        levels.spot_error,
        levels.flip,
        levels.reason as level_reason,
        convention.flip as convention_flip
    from fold.editions as orders
    cross join tape.session as session
    inner join ledger.leg_texts as texts using (edition_id)
    inner join ledger.order_gammas as gammas using (edition_id)
    left join nets on nets.edition_id = orders.edition_id
    -- the state of the minute an order printed in was known before it printed
    left join levels.levels as levels
        on levels.minute_et = orders.minute_et and levels.book_basis = 'measured'
    left join levels.levels as convention
        on convention.minute_et = orders.minute_et and convention.book_basis = 'oi'
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
    side_probability,
    visible_at,
    revision_number,
    convention_flip,
    abs(spot - convention_flip) as convention_distance_points,
    case when spot >= convention_flip then 'over' when spot < convention_flip then 'under' end
        as convention_side,
    spot_source,
    spot_error,
    side_deviation,
    superseded_at,
    superseded_by,
    edition_id
from joined_orders
