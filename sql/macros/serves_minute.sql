-- True where a value of the index may serve the state of a minute: it was there and known before
-- the minute, and is at most five minutes old. `serves_until` is the last state it may serve.
create or replace macro serves_minute(spotted_at, known_at, serves_until, minute_at) as
    spotted_at < minute_at
    and spotted_at >= minute_at - interval 5 minutes
    and known_at < minute_at
    and minute_at <= serves_until;

-- The minutes that such a value may serve.
create or replace macro minutes_served(spotted_at) as
    [date_trunc('minute', spotted_at) + to_minutes(minute) for minute in range(0, 6)];
