-- import.chain_strikes: the range of the strikes of a chain.
-- grain: one row
-- reads: import.cboe_chain
select min(strike) as lowest, max(strike) as highest, median(strike) as middle
from import.cboe_chain
where strike > 0
