-- audit.settlements_have_reasons: trades would end at no value, at two, or at one without a source.
-- grain: session_date
-- reads: ledger.settlements, tape.session
select session.session_date
from tape.session as session
left join ledger.settlements as settled using (session_date)
group by session.session_date
having
    count(settled.session_date) <> 1
    or bool_or((settled.settlement is null) <> (settled.reason is not null))
    or bool_or((settled.settlement is null) <> (settled.source is null))
    or bool_or(
        (settled.settlement_error is null) <> (settled.source is distinct from 'last_parity')
    )
    or bool_or((settled.spotted_at is null) <> (coalesce(settled.source, 'official') = 'official'))
