-- levels.levels: the dealers' levels of each minute, for each book.
-- measured_share is the part of the gamma of open interest of which the dealers' side is not
-- guessed; priced_share the part of the absolute gamma that could be priced at all. A flip whose
-- interval is open on both sides is not named: where most of the variance is the guess, the inventory
-- is unknown, and with it the regime, and the walls while most of the book is guessed. The same
-- where no source says anything of the inventory. The convention, book 'oi', has no interval.
-- grain: minute_et, book_basis
-- reads: book.coverage, levels.bars, levels.flips, levels.spot_deviations, levels.walls, surface.expected_moves, surface.spots, tape.carried_positions
with

bases as (select unnest(['measured', 'vol', 'oi']) as book_basis),

joined as (
    select
        spots.minute_et,
        spots.minute_at,
        bases.book_basis,
        spots.spot,
        spots.spot_source,
        spots.spot_error,
        coverage.priced_share,
        -- a book without gamma anywhere on the scan is null, not zero
        case
            when walls.gross_gamma_musd_per_point > 0 or flips.minute_at is not null
                then walls.net_gamma_musd_per_point
        end as net_gamma,
        bases.book_basis = 'measured' and walls.listed_gamma_musd_per_point is null as is_unlisted,
        coalesce(bars.is_low_open and bars.is_high_open, false) as is_unbounded,
        case
            when net_gamma is null then 'none'
            when is_unlisted then 'inventory_unknown'
            when is_unbounded and deviations.guess_share > 0.5 then 'inventory_unknown'
            when is_unbounded then 'no_bound'
            else 'bounded'
        end as bound,
        case when bound = 'bounded' then flips.flip end as flip,
        case when bound = 'bounded' then bars.flip_lo end as flip_lo,
        case when bound = 'bounded' then bars.flip_hi end as flip_hi,
        case when bound = 'bounded' then coalesce(flips.roots, []) end as flip_roots,
        case when not is_unlisted then deviations.deviation_musd end as deviation,
        1 - walls.guessed_gamma_musd_per_point / nullif(walls.listed_gamma_musd_per_point, 0)
            as measured_share,
        bound <> 'none' and not (bound = 'inventory_unknown' and coalesce(measured_share, 0) < 0.5)
            as has_walls,
        case when has_walls then walls.call_wall end as call_wall,
        case when has_walls then walls.put_wall end as put_wall,
        moves.expected_move_points,
        moves.session_expected_move_points,
        moves.reason as expected_move_reason
    from surface.spots as spots
    cross join bases
    left join levels.walls as walls using (minute_at, book_basis)
    left join levels.flips as flips using (minute_at, book_basis)
    left join levels.bars as bars using (minute_at, book_basis)
    left join levels.spot_deviations as deviations using (minute_at, book_basis)
    left join book.coverage as coverage using (minute_at, book_basis)
    left join surface.expected_moves as moves using (minute_et)
)

select
    minute_et,
    book_basis,
    spot,
    net_gamma as net_gamma_musd_per_point,
    case when net_gamma is not null then deviation end as net_gamma_deviation_musd,
    case
        when net_gamma is null or deviation is null then null
        when deviation > 0 and net_gamma <> 0 then normal_cdf(net_gamma / deviation)
        else 0.5::double * (1 + sign(net_gamma))
    end as p_positive,
    case
        when net_gamma is null or bound = 'inventory_unknown' then null
        -- exactly zero retains the previous regime
        when last_value(nullif(sign(net_gamma), 0) ignore nulls) over so_far > 0 then 'positive'
        when last_value(nullif(sign(net_gamma), 0) ignore nulls) over so_far < 0 then 'negative'
    end as regime,
    flip,
    flip_lo,
    flip_hi,
    coalesce(flip_roots, [])::double[] as flip_roots,
    call_wall,
    put_wall,
    expected_move_points,
    session_expected_move_points,
    expected_move_reason,
    measured_share,
    priced_share,
    (select coalesce(max(sessions_carried), 0) from tape.carried_positions)::integer
        as sessions_carried,
    case
        when spot is null then 'no_spot'
        when net_gamma is null and priced_share < least_priced_share() then 'no_forward'
        when net_gamma is null then 'empty_book'
        when bound = 'inventory_unknown' then 'inventory_unknown'
        when bound = 'no_bound' then 'no_bound'
        when flip is null then 'no_root'
        when call_wall is null then 'no_calls'
        when put_wall is null then 'no_puts'
    end as reason,
    spot_source,
    spot_error
from joined
window so_far as (partition by book_basis order by minute_at rows unbounded preceding)
