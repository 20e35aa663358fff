-- surface.parity_terms: the expiries that say where the index is, at each minute: the two nearest PM
-- expiries that have time left, and the first of those twenty days later or more, whose forward
-- shows the carry. Known to be listed before the minute. None before the open and after the PM
-- close: the index is not computed then.
-- grain: minute_et, root, expiry
-- reads: surface.discounts, tape.expiries, tape.session
with

listed as (
    select
        discounts.*,
        first_value(discounts.seconds_left) over nearest as nearest_seconds
    from surface.discounts as discounts
    inner join tape.expiries as expiries using (root, expiry)
    inner join tape.session as session
        on discounts.minute_at > session.opens_at
        and discounts.minute_at <= session.pm_expires_at
    where expiries.settlement = 'PM'
        and expiries.known_at < discounts.minute_at
        and discounts.seconds_left > 0
    window nearest as (
        partition by discounts.minute_at
        order by discounts.seconds_left, discounts.expiry, discounts.root
    )
),

ranked as (
    select
        *,
        seconds_left >= nearest_seconds + 20 * 86400 as is_far,
        row_number() over (
            partition by minute_at, is_far order by seconds_left, expiry, root
        ) as nearness
    from listed
)

select * exclude (nearest_seconds)
from ranked
where nearness <= if(is_far, 1, 2)
