-- ledger.basis: the distance of each future above the index, every minute from its first price on.
-- grain: minute_et, contract
-- reads: surface.bases, tape.minutes, tape.session
with

contracts as (
    select contract, min(minute_at) as first_at
    from surface.bases
    group by contract
)

select
    session.session_date,
    minutes.minute_et,
    contracts.contract,
    bases.basis,
    case when bases.contract is null then 'no_future' else bases.reason end as reason,
    coalesce(bases.price_count, 0) as price_count,
    bases.volume
from contracts
inner join tape.minutes as minutes on minutes.minute_at >= contracts.first_at
left join surface.bases as bases
    on bases.minute_at = minutes.minute_at and bases.contract = contracts.contract
cross join tape.session as session
order by minutes.minute_et, contracts.contract
