-- fold.late_changes: prints whose status changed only after the first state that follows them: late
-- prints, which became known late, and cancels, which took a print off.
-- grain: sequence, change_type
-- reads: fold.cancel_matches, fold.print_fates, tape.conditions, tape.prints
with

late_prints as (
    select sequence, 'late_print' as change_type, known_at
    from tape.prints
    where state_after(known_at) > state_after(printed_at)
),

cancels as (
    select matches.sequence, 'cancel' as change_type, cancels.known_at
    from fold.cancel_matches as matches
    inner join tape.prints as cancels on cancels.sequence = matches.cancel_sequence
)

select
    changes.sequence,
    changes.change_type,
    order_partition(
        print_class_of(prints.condition, conditions.print_class),
        coalesce(conditions.is_multi_leg, false),
        fates.letter,
        prints.root,
        prints.expiry,
        prints.strike,
        prints.option_type
    ) as partition_number,
    is_slow_class(print_class_of(prints.condition, conditions.print_class)) as is_slow,
    prints.printed_at,
    changes.known_at
from (from late_prints union all from cancels) as changes
inner join tape.prints as prints using (sequence)
inner join fold.print_fates as fates using (sequence)
left join tape.conditions as conditions on conditions.letter = prints.condition
where fates.fate in ('kept', 'cancelled')
    and state_after(changes.known_at) > state_after(prints.printed_at)
