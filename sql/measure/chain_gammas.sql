-- measure.chain_gammas: the yardstick of the levels: one gamma of every contract and minute.
-- grain: one row
-- reads: measure.chain
select
    count(gamma) as gamma_count,
    sum(gamma) as gamma
from (
    select black76_gamma(spot, forward, strike, discount, implied_vol, years) as gamma
    from measure.chain
)
