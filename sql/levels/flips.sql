-- levels.flips: the levels where net dealer gamma changes its sign, and the one nearest to the
-- spot. A lobe between two roots that stays under 1 % of the highest gamma of the window does not
-- count, nor do its two roots; of equally near roots the lower one is the flip.
-- grain: minute_at, book_basis, bucket
-- reads: levels.lobes, surface.spots
with

sized as (
    select
        *,
        lobe_number = 0
        or lobe_number = max(lobe_number) over one_book
        or highest_gamma_musd >= 0.01 * max(highest_gamma_musd) over one_book as is_large
    from levels.lobes
    window one_book as (partition by minute_at, book_basis, bucket)
),

-- with the small lobes gone, neighbours of one sign are one lobe
turned as (
    select
        minute_at,
        book_basis,
        bucket,
        root_before as root,
        gamma_sign <> lag(gamma_sign) over (
            partition by minute_at, book_basis, bucket order by lobe_number
        ) as is_significant
    from sized
    where is_large
),

significant as (
    select
        turned.minute_at,
        turned.book_basis,
        turned.bucket,
        list(turned.root order by turned.root) as significant_roots,
        arg_min(turned.root, (abs(turned.root - spots.spot), turned.root)) as flip
    from turned
    inner join surface.spots as spots on spots.minute_at = turned.minute_at
    where turned.is_significant
    group by all
),

every_root as (
    select
        minute_at,
        book_basis,
        bucket,
        coalesce(
            list(root_before order by root_before) filter (root_before is not null), []
        ) as roots
    from levels.lobes
    group by all
)

select
    every_root.minute_at,
    every_root.book_basis,
    every_root.bucket,
    every_root.roots::double[] as roots,
    coalesce(significant.significant_roots, [])::double[] as significant_roots,
    significant.flip
from every_root
left join significant using (minute_at, book_basis, bucket)
