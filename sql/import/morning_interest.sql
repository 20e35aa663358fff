-- import.morning_interest: open interest of the morning by contract: as the flows of the day have
-- it, else as the tape has it. A contract without any is new where others of its expiry have some.
-- grain: root, expiry, strike, option_type
-- reads: import.contract_flows, import.open_interest
with

stated as (
    select root, expiry, strike, option_type, open_interest, 2 as trust
    from import.contract_flows
    where open_interest is not null
    union all
    select root, expiry, strike, option_type, open_interest, 1
    from import.open_interest
    where open_interest is not null
    union all
    select root, expiry, strike, option_type, 0, 0
    from import.contract_flows
    where (root, expiry) in (select (root, expiry) from import.open_interest)
)

select root, expiry, strike, option_type, arg_max(open_interest, trust) as open_interest
from stated
group by root, expiry, strike, option_type
