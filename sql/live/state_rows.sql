-- live.state_rows: what a step says of the new states.
-- grain: that of the table of the step
-- reads: live.step_rows, tape.minutes
-- param: since_ms, until_ms
select kept.*
from live.step_rows as kept
inner join tape.minutes as minutes using (minute_et)
where minutes.minute_at > make_timestamp($since_ms::bigint * 1000)
    and minutes.minute_at <= make_timestamp($until_ms::bigint * 1000)
