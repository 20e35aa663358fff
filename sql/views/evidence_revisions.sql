-- views.evidence_revisions: one order in every version that was known before an instant, or at all,
-- oldest first. The last has not ended by then.
-- grain: revision_number
-- reads: ledger.orders, ledger.revisions
-- param: known_before_ms
with

bounds as (
    select make_timestamp($known_before_ms::bigint * 1000) as known_before
),

-- of a running session a version that ended stands among the orders as it came, too
versions as (
    select *, null::timestamp as superseded_at, null::varchar as superseded_by
    from ledger.orders
    anti join ledger.revisions using (order_id, revision_number)
    union all by name
    select *
    from ledger.revisions
),

ends as (
    select
        versions.*,
        coalesce(versions.superseded_at < bounds.known_before, true) as has_ended
    from versions
    cross join bounds
    where coalesce(versions.visible_at < bounds.known_before, true)
)

select
    revision_number,
    minute_et,
    epoch_us(visible_at) as visible_us,
    case when has_ended then epoch_us(superseded_at) end as superseded_us,
    case when has_ended then superseded_by end as superseded_by,
    structure,
    legs_text,
    contracts,
    sign,
    dealer_gamma_musd_per_point as gamma,
    flip_null_reason,
    convention_flip
from ends
order by revision_number
