-- ledger.prints: every print of the tape with what the fold did to it.
-- grain: sequence
-- kind: view
-- reads: fold.print_fates, tape.prints
select
    prints.session_date,
    prints.sequence,
    prints.printed_at,
    prints.root,
    prints.expiry,
    prints.strike,
    prints.option_type,
    prints.exchange,
    prints.size,
    prints.price,
    prints.condition,
    prints.vendor_condition,
    prints.trade_id,
    prints.best_bid,
    prints.best_ask,
    prints.bid_size,
    prints.ask_size,
    prints.quoted_at,
    prints.underlying_price,
    prints.known_at,
    fates.fate
from tape.prints as prints
inner join fold.print_fates as fates using (sequence)
order by prints.printed_at, prints.sequence
