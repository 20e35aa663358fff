-- simulate.lab_orders: the large orders of a simulated session of LAB, in every version.
-- grain: order_id, revision_number
-- reads: simulate.lab_versions, tape.session
select
    session.session_date,
    strftime(session.session_date, '%Y%m%d-') || versions.number::integer as order_id,
    versions.revision::integer as revision_number,
    versions.minute_et,
    make_timestamp((versions.printed_at_ms * 1000)::bigint) as printed_at,
    make_timestamp((versions.visible_at_ms * 1000)::bigint) as visible_at,
    make_timestamp((known_value(versions.superseded_at_ms) * 1000)::bigint) as superseded_at,
    'single' as structure,
    versions.premium_usd as gross_premium_usd,
    known_value(versions.gamma) as dealer_gamma_musd_per_point,
    case when isnan(versions.gamma) then 'no_side' end as gamma_null_reason,
    [versions.strike] as strikes
from simulate.lab_versions as versions
cross join tape.session as session
order by visible_at, order_id, revision_number
