-- book.inventory_shares: share of the opening inventory that each source gave, by contracts: of the
-- open interest, or of the position where that is unknown.
-- grain: source
-- reads: book.inventory
select
    source,
    count(*)::integer as contract_count,
    round(sum(greatest(abs(open_quantity), abs(coalesce(oi_quantity, 0)))))::bigint
        as open_contracts,
    open_contracts / nullif(sum(open_contracts) over (), 0)::double as share
from book.inventory
group by source
