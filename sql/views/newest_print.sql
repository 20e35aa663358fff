-- views.newest_print: when the newest message that the build used became known, in ET.
-- grain: one row
-- reads: fold.print_fates, tape.prints
select strftime(timezone('America/New_York', timezone('UTC', max(prints.known_at))), '%H:%M:%S')
    as asof_et
from tape.prints as prints
inner join fold.print_fates as fates using (sequence)
where fates.fate in ('kept', 'cancelled', 'cancel', 'cancel_without_target')
