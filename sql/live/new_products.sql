-- live.new_products: the deviation products that became known since the previous state.
-- grain: any
-- reads: live.step, live.step_products
select products.*
from live.step_products as products
cross join live.step as step
where products.minute_at > step.previous_state_at and products.minute_at <= step.current_state_at
