-- A bid as a vendor states it: 0 on both sides means no quote; a bid of 0 with an ask stays 0.
-- NaN means that there is none.
create or replace macro stated_bid(bid, ask) as
    case
        when not isfinite(bid) or (bid = 0 and coalesce(case when isfinite(ask) then ask end, 0) = 0) then null
        else bid
    end;
