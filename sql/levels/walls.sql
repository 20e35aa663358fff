-- levels.walls: net gamma at the spot of each book, and the strikes that hold most of it. The call
-- wall is the strike with the largest absolute dealer gamma among calls, over all expiries; of
-- equal ones the lower. The put wall the same among puts; of equal ones the higher.
-- A book of which too much is not priced has neither.
-- grain: minute_at, book_basis
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
    minute_at,
    book_basis,
    exact_sum(call_musd + put_musd) as net_gamma_musd_per_point,
    exact_sum(gross_musd) as gross_gamma_musd_per_point,
    exact_sum(known_musd) as known_gamma_musd_per_point,
    arg_max(strike, (abs(call_musd), -strike)) filter (call_musd <> 0) as call_wall,
    arg_max(strike, (abs(put_musd), strike)) filter (put_musd <> 0) as put_wall
from bases
left join book.coverage as coverage using (minute_at, book_basis)
where coalesce(coverage.is_priced_enough, true)
group by minute_at, book_basis
