-- fold.cancelled_legs: leg prints that a cancel took off the tape.
-- grain: sequence
-- reads: fold.print_fates, tape.conditions, tape.prints, tape.session
select
    prints.sequence,
    epoch_us(prints.printed_at) as printed_us,
    coalesce(prints.exchange, '') as exchange,
    is_slow_class(print_class_of(prints.condition, conditions.print_class)) as is_slow,
    prints.root,
    prints.expiry,
    prints.strike,
    prints.option_type
from tape.prints as prints
inner join tape.session as session using (session_date)
inner join fold.print_fates as fates using (sequence)
inner join tape.conditions as conditions on conditions.letter = prints.condition
where fates.fate = 'cancelled' and conditions.is_multi_leg
