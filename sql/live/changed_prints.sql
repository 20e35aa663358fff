-- live.changed_prints: times of the prints that the newest state adds or cancels.
-- grain: any
-- reads: fold.cancel_matches, live.arrivals, tape.conditions, tape.prints
with

located as (
    select condition, printed_at from live.arrivals
    union all
    select targets.condition, targets.printed_at
    from live.arrivals as cancels
    inner join fold.cancel_matches as matches on matches.cancel_sequence = cancels.sequence
    inner join tape.prints as targets on targets.sequence = matches.sequence
)

select
    epoch_us(located.printed_at) as printed_us,
    is_slow_class(print_class_of(located.condition, conditions.print_class)) as is_slow
from located
left join tape.conditions as conditions on conditions.letter = located.condition
