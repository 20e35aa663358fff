-- live.new_products: what became known since the state before of the doubts of the book.
-- grain: any
-- reads: live.step, live.step_products
select products.*
from live.step_products as products
cross join live.step as step
where products.minute_at > step.told_at and products.minute_at <= step.tells_at
