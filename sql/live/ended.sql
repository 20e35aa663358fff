-- live.ended: the versions that news ended since the state before, as they were published.
-- grain: order_id, revision_number
-- reads: fold.editions, ledger.placed
-- param: since_ms, until_ms
with

ended as (
    select order_id, revision_number, superseded_at, superseded_by
    from fold.editions
    where superseded_at >= make_timestamp($since_ms::bigint * 1000)
        and superseded_at < make_timestamp($until_ms::bigint * 1000)
),

-- few of many: the others need not be looked at whole
touched as (
    select * from ledger.placed semi join ended using (order_id, revision_number)
)

select touched.* replace (
    ended.superseded_at as superseded_at, ended.superseded_by as superseded_by
)
from touched
inner join ended using (order_id, revision_number)
