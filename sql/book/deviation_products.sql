-- book.deviation_products: covariances of pairs of strikes, as the book adds them up. A strike with
-- itself has the variance of its contracts; two strikes of one package, whose legs err together,
-- twice their product. The other strike is null where it is the same.
-- grain: any
-- kind: view
-- reads: book.deviations
select
    root,
    expiry,
    strike,
    null::varchar as other_root,
    null::date as other_expiry,
    null::double as other_strike,
    minute_at,
    weight * deviation_contracts * deviation_contracts as covariance
from book.deviations
union all
select
    legs.root,
    legs.expiry,
    legs.strike,
    other_legs.root,
    other_legs.expiry,
    other_legs.strike,
    legs.minute_at,
    2 * legs.weight * legs.deviation_contracts * other_legs.deviation_contracts
from book.deviations as legs
inner join book.deviations as other_legs using (edition_id, weight)
where legs.is_package
    and legs.leg_number < other_legs.leg_number
