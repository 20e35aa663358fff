-- The instant of a New York minute 'HH:MM' of a day, with its time zone.
create or replace macro minute_instant(session_date, minute_et) as
    timezone('America/New_York', session_date + minute_et::time);
