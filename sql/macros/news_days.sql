-- The days of which rows are imported now, and from when on these are known: of JSON.
create or replace macro news_days(news) as table
    select unnest.date as session_date, make_timestamp(unnest."fromMs" * 1000) as from_at
    from unnest(from_json(news, '[{"date": "date", "fromMs": "bigint"}]'))
