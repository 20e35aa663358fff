-- views.set_apart_counts: number of prints that audits took out of the session, and of all prints.
-- grain: one row
-- reads: tape.prints, tape.set_apart
select
    (select count(*) from tape.set_apart) as apart_count,
    (select count(*) from tape.prints) as print_count
