-- fold.print_fates: what became of every print of the tape that was known in time.
-- grain: sequence
-- reads: fold.cancel_matches, tape.conditions, tape.prints, tape.session
select
    prints.sequence,
    case
        when symbol_of(prints.root) <> session.symbol then 'other_symbol'
        when conditions.is_cancel and cancels.sequence is null then 'cancel_without_target'
        when conditions.is_cancel then 'cancel'
        when targets.sequence is not null then 'cancelled'
        when conditions.ledger = 'exclude' then 'compression'
        when prints.printed_at < session.opens_at or prints.printed_at >= session.closes_at
            then 'outside_hours'
        else 'kept'
    end as fate,
    prints.size
from tape.prints as prints
cross join tape.session as session
left join tape.conditions as conditions on conditions.letter = prints.condition
left join fold.cancel_matches as cancels on cancels.cancel_sequence = prints.sequence
left join fold.cancel_matches as targets on targets.sequence = prints.sequence
where prints.session_date = session.session_date
    and prints.known_at < session.known_until
