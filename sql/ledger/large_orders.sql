-- ledger.large_orders: the orders of the ledger as a position is judged by them, in every version:
-- from when to when it was the known one, what it did to the dealers' gamma, and at which strikes
-- of today's expiry.
-- grain: order_id, revision_number
-- reads: ledger.legs, ledger.orders, ledger.revision_legs, ledger.revisions, tape.expiries, tape.session
with

versions as (
    select *, null::timestamp as superseded_at from ledger.orders where is_in_ledger
    union all by name
    select * from ledger.revisions where is_in_ledger
),

legs as (
    select order_id, revision_number, root, expiry, strike from ledger.legs
    union all
    select order_id, revision_number, root, expiry, strike from ledger.revision_legs
),

todays_strikes as (
    select
        legs.order_id,
        legs.revision_number,
        list_sort(list(distinct legs.strike)) as strikes
    from legs
    inner join tape.expiries as expiries using (root, expiry)
    inner join tape.session as session on expiries.ends_on = session.session_date
    semi join versions using (order_id, revision_number)
    where expiries.settlement = 'PM'
    group by all
)

select
    versions.session_date,
    versions.order_id,
    versions.revision_number,
    versions.minute_et,
    versions.printed_at,
    versions.visible_at,
    versions.superseded_at,
    versions.structure,
    versions.gross_premium_usd,
    versions.dealer_gamma_musd_per_point,
    versions.gamma_null_reason,
    coalesce(todays_strikes.strikes, []) as strikes
from versions
left join todays_strikes using (order_id, revision_number)
order by versions.visible_at, versions.order_id, versions.revision_number
