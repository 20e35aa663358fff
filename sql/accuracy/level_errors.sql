-- accuracy.level_errors: how far the levels of one session are from those of the true book, and how
-- often the error bar of the flip holds the true one. Minutes with both flips count.
-- grain: inventory, book_basis
-- reads: accuracy.levels_measured, accuracy.levels_naive, levels.flips, levels.walls, tape.minutes
with

estimates as (
    select 'true inventory' as inventory, * from accuracy.levels_measured
    union all
    select 'open interest', * from accuracy.levels_naive
),

compared as (
    select
        estimates.inventory,
        estimates.book_basis,
        estimates.flip_hi - estimates.flip_lo as width,
        abs(estimates.flip - flips.flip) as flip_error,
        flips.flip between estimates.flip_lo and estimates.flip_hi as is_covered,
        greatest(estimates.flip_hi - estimates.spot, estimates.spot - estimates.flip_lo)
            >= scan_steps() - 1 as is_open,
        abs(estimates.net_gamma_musd_per_point - walls.net_gamma_musd_per_point) as gamma_error,
        abs(walls.net_gamma_musd_per_point) as gamma,
    from estimates
    join tape.minutes as minutes using (minute_et)
    join levels.flips as flips using (minute_at, book_basis)
    join levels.walls as walls using (minute_at, book_basis)
    where estimates.flip is not null and flips.flip is not null
)

select
    inventory,
    book_basis,
    count(*) as minute_count,
    avg(is_covered::integer) as covered_share,
    avg(width) as mean_width,
    avg(is_open::integer) as open_share,
    median(flip_error) as median_flip_error,
    quantile_cont(flip_error, 0.9) as high_flip_error,
    median(gamma_error) as median_gamma_error,
    median(gamma) as median_gamma,
from compared
group by inventory, book_basis
order by inventory desc, book_basis
