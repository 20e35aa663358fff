-- simulate.quotes: the canonical minute quotes of a simulated session.
-- grain: session_date, minute_at, root, expiry, strike, option_type
-- reads: simulate.raw_contracts, simulate.raw_quotes
-- param: session
select
    $session::date as session_date,
    make_timestamp(quote.minute_us::bigint) as minute_at,
    contract.root,
    contract.expiry::date as expiry,
    contract.strike,
    contract.option_type,
    case when quote.bid > 0 then quote.bid / 100 end as best_bid,
    quote.ask / 100 as best_ask,
    case when quote.bid > 0 then quote.bid_size end as bid_size,
    quote.ask_size,
    make_timestamp(quote.minute_us::bigint - quote.age_us) as quoted_at,
    quoted_at as known_at
from simulate.raw_quotes as quote
inner join simulate.raw_contracts as contract using (contract)
-- ordered although the raw rows are: a join on two threads would write other bytes
order by quote.minute_us, quote.contract
