-- simulate.prints: the canonical prints of a simulated session.
-- grain: session_date, sequence
-- reads: simulate.raw_contracts, simulate.raw_prints
-- param: has_conditions, session
select
    $session::date as session_date,
    print.sequence::bigint as sequence,
    make_timestamp(print.printed_us::bigint) as printed_at,
    contract.root,
    contract.expiry::date as expiry,
    contract.strike,
    contract.option_type,
    'CBOE' as exchange,
    print.size,
    print.cents / 100 as price,
    case when $has_conditions then chr(print.letter) end as condition,
    case when $has_conditions then chr(print.letter) end as vendor_condition,
    case when $has_conditions then print.trade_number::bigint::varchar end as trade_id,
    case when print.bid > 0 then print.bid / 100 end as best_bid,
    case when print.ask > 0 then print.ask / 100 end as best_ask,
    case when print.bid > 0 then print.bid_size end as bid_size,
    case when print.ask > 0 then print.ask_size end as ask_size,
    case when print.quoted_us > 0 then make_timestamp(print.quoted_us::bigint) end as quoted_at,
    print.spot as underlying_price,
    make_timestamp(print.printed_us::bigint) as known_at
from simulate.raw_prints as print
inner join simulate.raw_contracts as contract using (contract)
-- a vendor without conditions has settled the cancels before it sells the tape
where $has_conditions or (print.is_cancel = 0 and print.is_cancelled = 0)
order by print.sequence
