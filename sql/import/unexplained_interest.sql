-- import.unexplained_interest: contracts whose open interest changed over the session before by what
-- its flows cannot have done: opens less closes, and what market makers opened or closed of their
-- trades. Nobody knows what dealers did in them then.
-- grain: root, expiry, strike, option_type
-- reads: import.earlier_flows, import.morning_interest
select
    root,
    expiry,
    strike,
    option_type,
    earlier.open_interest as interest_before,
    morning.open_interest,
    earlier.least_interest_change,
    earlier.most_interest_change
from import.earlier_flows as earlier
inner join import.morning_interest as morning using (root, expiry, strike, option_type)
where not earlier.has_fault
    and earlier.open_interest is not null
    and morning.open_interest - earlier.open_interest
    not between earlier.least_interest_change and earlier.most_interest_change
order by root, expiry, strike, option_type
