-- live.window_prints: the prints that are folded again, with the cancels of some of them.
-- grain: sequence
-- reads: fold.cancel_matches, live.involved, live.zones, tape.conditions, tape.prints
-- param: from_us
with

inside as (
    select prints.*, coalesce(conditions.is_cancel, false) as is_cancel
    from tape.prints as prints
    left join tape.conditions as conditions on conditions.letter = prints.condition
    semi join live.zones as zones
        on epoch_us(prints.printed_at) between zones.from_us and zones.to_us
        and zones.is_slow = is_slow_class(print_class_of(prints.condition, conditions.print_class))
    -- what lies before all zones is not looked at one by one
    where prints.printed_at >= make_timestamp($from_us::bigint)
),

-- wherever they came
cancels as (
    select matches.cancel_sequence as sequence
    from fold.cancel_matches as matches
    semi join inside using (sequence)
)

select * exclude (is_cancel)
from inside
where not is_cancel
union all
select involved.*
from live.involved as involved
semi join cancels using (sequence)
order by printed_at, sequence
