-- ledger.inventory_shares: share of the opening inventory that each source gave.
-- grain: source
-- reads: book.inventory_shares, tape.session
select
    session.session_date,
    shares.source,
    shares.contract_count::integer as contract_count,
    shares.open_contracts::bigint as open_contracts,
    shares.share
from book.inventory_shares as shares
cross join tape.session as session
order by shares.source
