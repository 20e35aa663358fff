-- surface.spots: the index of each minute: the last value strictly before it, at most five minutes
-- old; without one, that of put-call parity, the forward of the nearest PM expiry that has one less
-- its carry, with one standard deviation in index points. Too uncertain a one is none.
-- grain: minute_et
-- reads: surface.index_spots, surface.parity_carries, surface.parity_forwards
with

candidates as (
    select
        forwards.minute_at,
        forwards.years,
        forwards.root,
        forwards.expiry,
        forwards.quoted_at,
        forwards.forward * exp(-carries.log_carry) as spot,
        sqrt(square(forwards.forward_error) + square(carries.carry_error)) as spot_error
    from surface.parity_forwards as forwards
    inner join surface.parity_carries as carries using (term_number)
),

nearest as (
    select minute_at, arg_min(candidates, (years, root, expiry)) as parity
    from candidates
    where spot_error <= parity_error_max()
    group by minute_at
)

select
    known.minute_et,
    known.minute_at,
    coalesce(known.spot, nearest.parity.spot) as spot,
    coalesce(known.spotted_at, nearest.parity.quoted_at) as spotted_at,
    case
        when known.spot is not null then 'index'
        when nearest.minute_at is not null then 'parity'
    end as spot_source,
    case when known.spot is null then nearest.parity.spot_error end as spot_error,
    case when known.spot is null and nearest.minute_at is null then 'no_spot' end as reason
from surface.index_spots as known
left join nearest using (minute_at)
