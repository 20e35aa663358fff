-- The days of the rows imported now, with the instant from which these are known: from JSON.
create or replace macro late_days(days) as table
    select unnest.date as session_date, make_timestamp(unnest."fromMs" * 1000) as from_at
    from unnest(from_json(days, '[{"date": "date", "fromMs": "bigint"}]'))
