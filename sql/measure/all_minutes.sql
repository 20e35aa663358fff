-- measure.all_minutes: the states of the session, before some are left out.
-- grain: minute_et
-- reads: tape.minutes
select * from tape.minutes
