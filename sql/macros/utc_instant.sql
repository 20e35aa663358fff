-- The UTC instant of a value: text with Z or an offset, or naive text that is UTC already. Text
-- without an offset takes the short way, since a cast over the zone table is twenty times slower.
create or replace macro utc_instant(instant) as
    case
        when typeof(instant) = 'TIMESTAMP' then try_cast(instant as timestamp)
        when typeof(instant) = 'VARCHAR' and not regexp_matches(instant::varchar, ':[0-9.]+ ?[+-]')
            then try_cast(instant as timestamp)
        else try_cast(instant as timestamptz)::timestamp
    end;
