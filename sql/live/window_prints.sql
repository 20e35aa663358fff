-- live.window_prints: the prints that are folded again, with the cancels of some of them.
-- grain: sequence
-- reads: fold.cancel_matches, live.zones, tape.conditions, tape.prints
-- param: from_us
with

inside as (
    select prints.sequence, coalesce(conditions.is_cancel, false) as is_cancel
    from tape.prints as prints
    left join tape.conditions as conditions on conditions.letter = prints.condition
    semi join live.zones as zones
        on epoch_us(prints.printed_at) between zones.from_us and zones.to_us
        and zones.is_slow = is_slow_class(print_class_of(prints.condition, conditions.print_class))
    -- what lies before all zones is not looked at one by one
    where prints.printed_at >= make_timestamp($from_us::bigint)
),

members as (
    select sequence from inside where not is_cancel
    union all
    select matches.cancel_sequence
    from fold.cancel_matches as matches
    inner join inside on inside.sequence = matches.sequence
)

select prints.*
from tape.prints as prints
semi join members using (sequence)
order by prints.printed_at, prints.sequence
