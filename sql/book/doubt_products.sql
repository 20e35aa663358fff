-- book.doubt_products: the doubts as the book adds them up: what two strikes have in common. A
-- strike with itself has the variance of its contracts; two strikes of one package, whose legs err
-- together, twice their product. The other strike is null where it is the same.
-- grain: any
-- kind: view
-- reads: book.doubts
select
    root,
    expiry,
    strike,
    null::varchar as other_root,
    null::date as other_expiry,
    null::double as other_strike,
    minute_at,
    weight * doubtful_contracts * doubtful_contracts as covariance
from book.doubts
union all
select
    doubts.root,
    doubts.expiry,
    doubts.strike,
    others.root,
    others.expiry,
    others.strike,
    doubts.minute_at,
    2 * doubts.weight * doubts.doubtful_contracts * others.doubtful_contracts
from book.doubts as doubts
inner join book.doubts as others using (edition_id, weight)
where doubts.is_package
    and doubts.leg_number < others.leg_number
