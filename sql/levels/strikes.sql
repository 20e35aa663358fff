-- levels.strikes: each book's dealer gamma at the spot by strike, over all expiries and in each
-- bucket of them, in $M per index point; null where a book has nothing at a strike yet. gross adds absolute amounts of all
-- that a book may hold; listed is what it may have held at the open, guessed the part of that of
-- which nobody knows the dealers' side; monthly is the part of gross that the monthly expiry has. A book with too little priced has no strikes.
-- grain: minute_at, book_basis, bucket, strike
-- reads: book.coverage, book.gammas
with

bases as (
    select
        minute_at,
        bucket,
        strike,
        unnest([
            {
                'book_basis': 'measured',
                'call_musd': call_inventory_musd + coalesce(call_flow_musd, 0),
                'put_musd': put_inventory_musd + coalesce(put_flow_musd, 0),
                'gross_musd': coalesce(listed_musd, 0) + coalesce(gross_flow_musd, 0),
                'monthly_musd': monthly_listed_musd + monthly_flow_musd,
                'listed_musd': listed_musd,
                'guessed_musd': guessed_musd
            },
            {
                'book_basis': 'vol',
                'call_musd': call_flow_musd,
                'put_musd': put_flow_musd,
                'gross_musd': gross_flow_musd,
                'monthly_musd': monthly_flow_musd,
                'listed_musd': gross_flow_musd,
                'guessed_musd': 0
            },
            {
                'book_basis': 'oi',
                'call_musd': call_oi_musd,
                'put_musd': put_oi_musd,
                'gross_musd': gross_oi_musd,
                'monthly_musd': monthly_oi_musd,
                'listed_musd': gross_oi_musd,
                'guessed_musd': gross_oi_musd
            }
        ], recursive := true)
    from book.gammas
)

select
    bases.minute_at,
    bases.book_basis,
    bases.bucket,
    bases.strike,
    bases.call_musd,
    bases.put_musd,
    bases.gross_musd,
    bases.monthly_musd,
    bases.listed_musd,
    bases.guessed_musd
from bases
left join book.coverage as coverage using (minute_at, book_basis, bucket)
where coalesce(coverage.is_priced_enough, true)
