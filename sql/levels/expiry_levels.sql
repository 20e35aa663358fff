-- levels.expiry_levels: the dealers' levels of each minute, for each book: of all its expiries, of
-- those of the session ('0dte') and of the next one.
-- measured_share is the part of the gamma of open interest of which the dealers' side is not
-- guessed; priced_share the part of the absolute gamma that could be priced at all. A flip whose
-- interval is open on both sides is not named: where most of the variance is the guess, the inventory
-- is unknown, and with it the regime, and the walls while most of the book is guessed. The same
-- where no source says anything of the inventory. The convention, book 'oi', has no interval.
-- gross_share is the part of the gamma that the book may hold, without sign, that leaves with the
-- expiries of the bucket; monthly_share that which leaves at the monthly expiry.
-- grain: minute_et, book_basis, bucket
-- reads: book.coverage, book.expiry_buckets, levels.bars, levels.flips, levels.spot_deviations, levels.walls, surface.expected_moves, surface.spots, tape.carried_positions
with

bases as (
    select book_basis, bucket
    from (select unnest(['measured', 'vol', 'oi']) as book_basis)
    cross join (select unnest(['all', '0dte', 'next']) as bucket)
),

states as (
    select
        spots.minute_et,
        spots.minute_at,
        spots.spot,
        spots.spot_source,
        spots.spot_error,
        bases.book_basis,
        bases.bucket,
        buckets.expiry,
        monthly.expiry as monthly_expiry
    from surface.spots as spots
    cross join bases
    left join (
        select minute_at, bucket, min(expiry) as expiry from book.expiry_buckets group by all
    ) as buckets
        on buckets.minute_at = spots.minute_at and buckets.bucket = bases.bucket
    left join book.expiry_buckets as monthly
        on monthly.minute_at = spots.minute_at and monthly.is_monthly
),

joined as (
    select
        states.*,
        states.bucket = 'all' or states.expiry is not null as is_listed,
        coverage.priced_share,
        -- a book without gamma anywhere on the scan is null, not zero
        case
            when walls.gross_gamma_musd_per_point > 0 or flips.minute_at is not null
                then walls.net_gamma_musd_per_point
        end as net_gamma,
        states.book_basis = 'measured' and walls.listed_gamma_musd_per_point is null as is_unlisted,
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
        any_value(case when states.bucket = 'all' then walls.gross_gamma_musd_per_point end)
            over one_book as gross,
        walls.gross_gamma_musd_per_point / nullif(gross, 0) as gross_share,
        any_value(
            case when states.bucket = 'all' then walls.monthly_gamma_musd_per_point end
        ) over one_book / nullif(gross, 0) as monthly_share,
        case when has_walls then walls.call_wall end as call_wall,
        case when has_walls then walls.put_wall end as put_wall,
        moves.expected_move_points,
        moves.session_expected_move_points,
        moves.reason as expected_move_reason
    from states
    left join levels.walls as walls using (minute_at, book_basis, bucket)
    left join levels.flips as flips using (minute_at, book_basis, bucket)
    left join levels.bars as bars using (minute_at, book_basis, bucket)
    left join levels.spot_deviations as deviations using (minute_at, book_basis, bucket)
    left join book.coverage as coverage using (minute_at, book_basis, bucket)
    left join surface.expected_moves as moves on moves.minute_et = states.minute_et
    window one_book as (partition by states.minute_at, states.book_basis)
)

select
    minute_at,
    minute_et,
    book_basis,
    bucket,
    expiry,
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
    gross_share,
    monthly_expiry,
    monthly_share,
    (select coalesce(max(sessions_carried), 0) from tape.carried_positions)::integer
        as sessions_carried,
    case
        when spot is null then 'no_spot'
        when not is_listed then 'no_expiry'
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
window so_far as (partition by book_basis, bucket order by minute_at rows unbounded preceding)
