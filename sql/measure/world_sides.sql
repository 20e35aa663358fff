-- measure.world_sides: shares of right sides over all sessions of a world, by order and by lots, of the
-- orders that one customer sent: as published, by the quote rule, and by the published stack of rules.
-- Where no side is stated a coin is tossed.
-- grain: one row
-- reads: measure.side_rows
with

scored as (
    select
        contracts,
        (1 + sign * (2 * bought - 1)) / 2 as is_right,
        (1 + quote_sign * (2 * bought - 1)) / 2 as is_quote_right,
        (1 + stack_sign * (2 * bought - 1)) / 2 as is_stack_right
    from measure.side_rows
    where bought <> 0.5
)

select
    count(*) as orders,
    avg(is_right) as right_share,
    sum(contracts * is_right) / sum(contracts) as right_lots_share,
    avg(is_quote_right) as quote_share,
    sum(contracts * is_quote_right) / sum(contracts) as quote_lots_share,
    avg(is_stack_right) as stack_share,
    sum(contracts * is_stack_right) / sum(contracts) as stack_lots_share
from scored
