-- measure.iv_ours: the volatilities of all quotes, and their worst relative error.
-- grain: one row
-- reads: measure.iv_quotes
with quotes as (from measure.iv_quotes)

select
    count(implied_vol) as solved_count,
    max(abs(implied_vol / true_vol - 1)) as worst_error
from black76_implied(quotes)
