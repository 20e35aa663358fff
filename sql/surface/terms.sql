-- surface.terms: time to expiry and discount of each expiry at each minute, with the index; a reason
-- where its quotes cannot be priced.
-- grain: minute_et, root, expiry
-- reads: surface.discounts, surface.spots
select
    discounts.term_number,
    discounts.minute_et,
    discounts.minute_at,
    discounts.root,
    discounts.expiry,
    discounts.expires_at,
    discounts.seconds_left,
    discounts.years,
    discounts.discount,
    discounts.discount_source,
    spots.spot,
    case
        when discounts.seconds_left <= 0 then 'expired'
        when spots.spot is null then 'no_spot'
    end as reason
from surface.discounts as discounts
inner join surface.spots as spots using (minute_et)
