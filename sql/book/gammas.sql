-- book.gammas: dealer gamma at the spot, by strike over all expiries, in $M per index point. The
-- gross columns add absolute amounts, so that calls and puts do not cancel. listed is the gamma of
-- all that may be held, guessed the part of it of which nobody knows the dealers' side.
-- grain: minute_at, strike
-- reads: book.holdings, book.pairs, book.positions
with

strikes as (
    select
        positions.minute_at,
        pairs.strike,
        positions.peak_musd
        * gamma_shape(positions.d1, 1 / positions.deviation, 0::double) as unit_musd,
        holdings.call_inventory,
        holdings.put_inventory,
        holdings.call_oi,
        holdings.put_oi,
        holdings.call_guess,
        holdings.put_guess,
        holdings.listed,
        positions.call_flow,
        positions.put_flow
    from book.positions as positions
    inner join book.pairs as pairs on pairs.pair_number = positions.pair_number
    inner join book.holdings as holdings
        on holdings.pair_number = positions.pair_number
        and positions.minute_at >= holdings.enters_at
        and positions.minute_at < holdings.leaves_at
)

select
    minute_at,
    strike,
    exact_sum(call_inventory * unit_musd) as call_inventory_musd,
    exact_sum(put_inventory * unit_musd) as put_inventory_musd,
    exact_sum(call_oi * unit_musd) as call_oi_musd,
    exact_sum(put_oi * unit_musd) as put_oi_musd,
    exact_sum(call_flow * unit_musd) as call_flow_musd,
    exact_sum(put_flow * unit_musd) as put_flow_musd,
    exact_sum(listed * unit_musd) as listed_musd,
    exact_sum((call_guess + put_guess) * unit_musd) as guessed_musd,
    exact_sum((abs(call_oi) + abs(put_oi)) * unit_musd) as gross_oi_musd,
    exact_sum((abs(call_flow) + abs(put_flow)) * unit_musd) as gross_flow_musd
from strikes
group by minute_at, strike
