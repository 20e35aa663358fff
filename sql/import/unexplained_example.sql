-- import.unexplained_example: how many contracts have an open interest that their flows do not
-- explain, and the first of them; no row where none has.
-- grain: one row
-- reads: import.unexplained_interest
select
    count(*) over () as contract_count,
    format('{} {} {} {}', root, expiry, strike_text(strike), option_type) as contract,
    interest_before,
    open_interest,
    least_interest_change as least,
    most_interest_change as most
from import.unexplained_interest
order by root, expiry, strike, option_type
limit 1
