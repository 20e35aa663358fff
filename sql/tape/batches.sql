-- tape.batches: rows read and left out by every import of the session.
-- grain: a batch of the tape
-- reads:
-- param: batches
select
    unnest.dataset as dataset,
    unnest.read_count as read_count,
    unnest.rejected_count as rejected_count,
    unnest.quarantined_count as quarantined_count,
    unnest.is_degraded as is_degraded
from unnest(from_json(
    $batches,
    '[{"dataset": "varchar", "read_count": "bigint", "rejected_count": "bigint",
       "quarantined_count": "bigint", "is_degraded": "boolean"}]'
))
