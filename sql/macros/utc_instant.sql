-- The UTC instant of a value: text with Z or an offset, or naive text that is UTC already.
create or replace macro utc_instant(instant) as try_cast(instant as timestamptz)::timestamp;
