-- The middle of a market: none where it is crossed or one-sided; a bid of zero still has one.
create or replace macro quote_mid(best_bid, best_ask) as
    case
        when best_ask >= best_bid and best_ask > 0 then 0.5::double * (best_bid + best_ask)
    end;
