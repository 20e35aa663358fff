-- book.inventory_shares: share of the opening inventory that each source gave, by absolute
-- contracts.
-- grain: source
-- reads: book.inventory
select
    source,
    count(*)::integer as contract_count,
    sum(abs(open_quantity))::bigint as open_contracts,
    open_contracts / nullif(sum(open_contracts) over (), 0)::double as share
from book.inventory
group by source
