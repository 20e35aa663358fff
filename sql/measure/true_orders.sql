-- measure.true_orders: fold.editions as customers really traded: each print of the session that was
-- not cancelled is an order of its own, known as soon as it printed, with the sign of its customer.
-- Crosses have none.
-- grain: edition_id
-- reads: measure.truth_legs, measure.truth_prints, tape.minutes, tape.prints, tape.session
select
    prints.sequence as edition_id,
    prints.sequence::varchar as order_id,
    1 as revision_number,
    prints.printed_at,
    prints.printed_at as visible_at,
    null::timestamp as superseded_at,
    coalesce(minutes.minute_et, '') as minute_et,
    legs.customer_sign as sign,
    case legs.customer_sign when 1 then 1.0 when -1 then 0.0 end::double as side_probability,
    0::double as side_deviation,
    case when legs.customer_sign = 0 then 'cross' end as side_reason
from measure.truth_prints as truth_prints
inner join measure.truth_legs as legs using (parent_id, leg_number)
inner join tape.prints as prints using (sequence)
cross join tape.session as session
left join tape.minutes as minutes
    on minutes.minute_at = date_trunc('minute', prints.printed_at)
where not truth_prints.is_cancelled
    and prints.printed_at >= session.opens_at
    and prints.printed_at < session.closes_at
