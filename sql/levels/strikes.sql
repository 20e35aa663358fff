-- levels.strikes: each book's dealer gamma at the spot, by strike over all expiries, in $M per
-- index point; null where a book has nothing at a strike yet. gross adds absolute amounts, known
-- those of them that do not rest on naive open interest. A book with too little priced has no
-- strikes.
-- grain: minute_at, book_basis, strike
-- reads: book.coverage, book.gammas
with

bases as (
    select
        minute_at,
        strike,
        unnest([
            {
                'book_basis': 'measured',
                'call_musd': call_inventory_musd + coalesce(call_flow_musd, 0),
                'put_musd': put_inventory_musd + coalesce(put_flow_musd, 0),
                'gross_musd': gross_inventory_musd + coalesce(gross_flow_musd, 0),
                'known_musd': known_inventory_musd + coalesce(gross_flow_musd, 0)
            },
            {
                'book_basis': 'vol',
                'call_musd': call_flow_musd,
                'put_musd': put_flow_musd,
                'gross_musd': gross_flow_musd,
                'known_musd': gross_flow_musd
            },
            {
                'book_basis': 'oi',
                'call_musd': call_oi_musd,
                'put_musd': put_oi_musd,
                'gross_musd': gross_oi_musd,
                'known_musd': known_oi_musd
            }
        ], recursive := true)
    from book.gammas
)

select
    bases.minute_at,
    bases.book_basis,
    bases.strike,
    bases.call_musd,
    bases.put_musd,
    bases.gross_musd,
    bases.known_musd
from bases
left join book.coverage as coverage using (minute_at, book_basis)
where coalesce(coverage.is_priced_enough, true)
