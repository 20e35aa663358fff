-- A bid as a vendor states it: 0 on both sides means no quote; a bid of 0 beside an ask stays 0.
create or replace macro stated_bid(bid, ask) as
    case when bid = 0 and coalesce(ask, 0) = 0 then null else bid end;
