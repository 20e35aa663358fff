-- fold.print_fates: the disposition of every print of the tape that was known in time, and the
-- letter that it is folded by: none where its code carries no information.
-- grain: sequence
-- reads: fold.cancel_matches, tape.conditions, tape.prints, tape.session, tape.set_apart, tape.silent_codes
select
    prints.sequence,
    prints.printed_at,
    case
        when prints.sequence in (select sequence from tape.set_apart) then 'set_apart'
        when symbol_of(prints.root) <> session.symbol then 'other_symbol'
        when conditions.is_cancel
            and prints.sequence not in (select cancel_sequence from fold.cancel_matches)
            then 'cancel_without_target'
        when conditions.is_cancel then 'cancel'
        when prints.sequence in (select sequence from fold.cancel_matches) then 'cancelled'
        when conditions.ledger = 'exclude' then 'compression'
        when prints.printed_at < session.opens_at or prints.printed_at >= session.closes_at
            then 'outside_hours'
        else 'kept'
    end as fate,
    case when prints.sequence not in (select sequence from tape.silent_codes)
        then prints.condition
    end as letter,
    prints.size
from tape.prints as prints
cross join tape.session as session
left join tape.conditions as conditions on conditions.letter = prints.condition
where prints.session_date = session.session_date
    and prints.known_at < session.known_until
