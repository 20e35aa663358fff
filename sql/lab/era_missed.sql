-- lab.era_missed: chances of a leg that gave no result, by why: the reasons of chances that were no
-- trade, and `unresolved` for trades whose end nobody knows; none of sealed sessions. Reads the table of trades of a run.
-- grain: reason
-- reads: lab.trades
-- param: first_day, last_day, rule_leg
select
    coalesce(missed, 'unresolved') as reason,
    count(*)::integer as count
from lab.trades
where rule_leg = $rule_leg::integer
    and session_date between $first_day and $last_day
    and in_rule
    and r is null
    and not is_sealed
group by reason
order by reason
