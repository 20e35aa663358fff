-- The wall time of ISO 8601 text and its time zone, Z, UTC or an offset such as -05:00; empty
-- parts when it is no instant. A day alone is none.
create or replace macro iso_parts(text) as regexp_extract(
    text,
    '^([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?) ?(Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?)?$',
    ['wall', 'zone']
);

-- Offset of a time zone from UTC; null for an offset that no place on earth has.
create or replace macro zone_offset(zone) as
    case
        when zone in ('Z', 'UTC') then interval 0 minutes
        when zone[2:3]::integer <= 14 and (length(zone) = 3 or zone[-2:]::integer < 60) then
            (case when zone[1] = '-' then -1 else 1 end)
            * (
                zone[2:3]::integer * 60
                + case when length(zone) > 3 then zone[-2:]::integer else 0 end
            ) * interval 1 minute
    end;

-- The UTC instant of ISO text with a time zone; null without one.
create or replace macro iso_instant(text) as
    case when iso_parts(text).zone <> ''
        then try_cast(iso_parts(text).wall as timestamp) - zone_offset(iso_parts(text).zone)
    end;

-- The wall time of ISO text without a time zone: the format defines its zone.
create or replace macro iso_wall(text) as
    case when iso_parts(text).zone = '' then try_cast(iso_parts(text).wall as timestamp) end;
