-- import.contract_flows: what dealers did in each contract on a day, on all exchanges together.
-- grain: root, expiry, strike, option_type
-- reads: import.current_flows
select
    session_date,
    root,
    expiry,
    strike,
    option_type,
    max(dealers) as dealers,
    bool_or(fault is not null) as has_fault,
    sum(dealer_bought - dealer_sold)::bigint as change,
    sum(opened - closed - maker_sold)::bigint as least_interest_change,
    sum(opened - closed + maker_bought)::bigint as most_interest_change,
    max(open_interest) as open_interest
from import.current_flows
group by session_date, root, expiry, strike, option_type
