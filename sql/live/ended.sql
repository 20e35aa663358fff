-- live.ended: the versions that news ended since the state before, as they were published.
-- grain: order_id, revision_number
-- reads: fold.editions, ledger.placed
-- param: since_ms, until_ms
select placed.* replace (
    editions.superseded_at as superseded_at, editions.superseded_by as superseded_by
)
from ledger.placed as placed
inner join fold.editions as editions using (order_id, revision_number)
where editions.superseded_at >= make_timestamp($since_ms::bigint * 1000)
    and editions.superseded_at < make_timestamp($until_ms::bigint * 1000)
