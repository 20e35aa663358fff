-- audit.option_minutes_are_of_their_time: a trade would be filled at a quote that nobody knew
-- yet, or that had gone.
-- grain: minute_et, expiry, strike
-- reads: ledger.option_minutes
select minute_et, expiry, strike
from ledger.option_minutes
where
    call_age_s is null and (call_bid is not null or call_ask is not null)
    or put_age_s is null and (put_bid is not null or put_ask is not null)
    or call_age_s is null and put_age_s is null
    or not coalesce(call_age_s, 1) between 1 and 300
    or not coalesce(put_age_s, 1) between 1 and 300
