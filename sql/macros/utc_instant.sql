-- The UTC instant of a value: ISO text with a time zone, text without one that is UTC already, or a
-- timestamp of Parquet.
create or replace macro utc_instant(instant) as
    case
        when typeof(instant) = 'VARCHAR'
            then coalesce(iso_wall(instant::varchar), iso_instant(instant::varchar))
        when typeof(instant) = 'TIMESTAMP' then try_cast(instant as timestamp)
        else try_cast(instant as timestamptz)::timestamp
    end;
