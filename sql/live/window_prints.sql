-- live.window_prints: the prints that are folded again, with the cancels of some of them.
-- grain: sequence
-- reads: fold.cancel_matches, live.span, tape.conditions, tape.prints
with

inside as (
    select prints.*, coalesce(conditions.is_cancel, false) as is_cancel
    from tape.prints as prints
    cross join live.span as span
    left join tape.conditions as conditions on conditions.letter = prints.condition
    where prints.printed_at >= span.window_from
)

select inside.* exclude (is_cancel)
from inside
where not inside.is_cancel
    or inside.sequence in (
        select matches.cancel_sequence
        from fold.cancel_matches as matches
        inner join inside as targets on targets.sequence = matches.sequence
    )
order by inside.printed_at, inside.sequence
