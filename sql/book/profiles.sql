-- book.profiles: net dealer gamma over the index, every ten steps of the scan on round levels.
-- grain: minute_et, book_basis, index_point
-- reads: book.scan, surface.spots
select
    spots.minute_et,
    scan.book_basis,
    scan.index_point,
    scan.dealer_gamma_musd_per_point
from book.scan as scan
inner join surface.spots as spots on spots.minute_at = scan.minute_at
where scan.bucket = 'all'
    and round(scan.index_point / scan_point(spots.spot))::bigint % 10 = 0
