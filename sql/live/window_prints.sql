-- live.window_prints: the prints that are folded again, with the cancels of some of them.
-- grain: sequence
-- reads: fold.cancel_matches, live.affected_ranges, live.involved, tape.conditions, tape.prints
-- param: from_us
with

inside as (
    select prints.*, coalesce(conditions.is_cancel, false) as is_cancel
    from tape.prints as prints
    left join tape.conditions as conditions on conditions.letter = prints.condition
    semi join live.affected_ranges as ranges
        on epoch_us(prints.printed_at) between ranges.from_us and ranges.to_us
        and ranges.is_slow = is_slow_class(print_class_of(prints.condition, conditions.print_class))
    -- prints before all ranges are skipped at once
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
