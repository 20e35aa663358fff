-- views.newest_print: when the newest message that the build used became known, in ET; how many
-- prints there are, and how many of the session's hours became known too late to be used.
-- grain: one row
-- reads: fold.print_fates, tape.prints, tape.session
select strftime(timezone('America/New_York', timezone('UTC', max(prints.known_at))), '%H:%M:%S')
    as asof_et,
    (select count(*) from tape.prints)::integer as print_count,
    (
        select count(*)
        from tape.prints as prints
        inner join tape.session as session
            on prints.known_at >= session.known_until
            and prints.printed_at >= session.opens_at
            and prints.printed_at < session.closes_at
    ) as known_too_late_count
from tape.prints as prints
inner join fold.print_fates as fates using (sequence)
where fates.fate in ('kept', 'cancelled', 'cancel', 'cancel_without_target')
