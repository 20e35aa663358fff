-- lab.trade_money: wins and losses of one leg of a rule over some sessions, USD of single trades;
-- null where there are none, and trades of sealed sessions are not in it. Reads the table of trades
-- of a run.
-- grain: one row
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
select
    avg(pnl_usd) filter (where pnl_usd > 0) as average_win_usd,
    avg(pnl_usd) filter (where pnl_usd < 0) as average_loss_usd,
    coalesce(sum(pnl_usd) filter (where pnl_usd > 0), 0)
    / -(sum(pnl_usd) filter (where pnl_usd < 0)) as profit_factor,
    max(pnl_usd) filter (where pnl_usd > 0) as largest_win_usd,
    min(pnl_usd) filter (where pnl_usd < 0) as largest_loss_usd
from lab.trades
where rule_leg = $rule_leg::integer
    and session_date between $first_day and $last_day
    and in_rule
    and not is_sealed
