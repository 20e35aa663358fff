-- levels.levels: the dealers' levels of each minute, for each book.
-- measured_share is the part of the absolute gamma that does not rest on naive open interest;
-- priced_share the part of the absolute gamma that could be priced at all.
-- grain: minute_et, book_basis
-- reads: book.coverage, levels.bars, levels.flips, levels.walls, surface.expected_moves, surface.spots
with

bases as (select unnest(['measured', 'vol', 'oi']) as book_basis),

joined as (
    select
        spots.minute_et,
        spots.minute_at,
        bases.book_basis,
        spots.spot,
        coverage.priced_share,
        -- a book without gamma anywhere on the scan has none to speak of: null, not zero
        case
            when walls.gross_gamma_musd_per_point > 0 or flips.minute_at is not null
                then walls.net_gamma_musd_per_point
        end as net_gamma,
        case when net_gamma is not null then flips.flip end as flip,
        case when net_gamma is not null and flips.flip is not null then bars.flip_lo end as flip_lo,
        case when net_gamma is not null and flips.flip is not null then bars.flip_hi end as flip_hi,
        case when net_gamma is not null then coalesce(flips.roots, []) end as flip_roots,
        case when net_gamma is not null then walls.call_wall end as call_wall,
        case when net_gamma is not null then walls.put_wall end as put_wall,
        walls.known_gamma_musd_per_point / nullif(walls.gross_gamma_musd_per_point, 0)
            as measured_share,
        moves.expected_move_points,
        moves.session_expected_move_points,
        moves.reason as expected_move_reason
    from surface.spots as spots
    cross join bases
    left join levels.walls as walls using (minute_at, book_basis)
    left join levels.flips as flips using (minute_at, book_basis)
    left join levels.bars as bars using (minute_at, book_basis)
    left join book.coverage as coverage using (minute_at, book_basis)
    left join surface.expected_moves as moves using (minute_et)
)

select
    minute_et,
    book_basis,
    spot,
    net_gamma as net_gamma_musd_per_point,
    case
        when net_gamma is null then null
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
    case
        when spot is null then 'no_spot'
        when net_gamma is null and priced_share < least_priced_share() then 'no_forward'
        when net_gamma is null then 'empty_book'
        when flip is null then 'no_root'
        when call_wall is null then 'no_calls'
        when put_wall is null then 'no_puts'
    end as reason
from joined
window so_far as (partition by book_basis order by minute_at rows unbounded preceding)
