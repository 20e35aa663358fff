-- An ask as a vendor states it: nobody offers at 0, so 0 means no ask, and so does NaN.
create or replace macro stated_ask(ask) as
    case when ask = 0 or not isfinite(ask) then null else ask end;
