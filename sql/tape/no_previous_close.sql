-- tape.no_previous_close: the same where no session of the symbol is published before.
-- grain: one row
-- reads:
select null::double as previous_close, 'no_previous_session' as reason
