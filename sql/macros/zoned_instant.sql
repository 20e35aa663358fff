-- An instant of UTC as one with a time zone.
create or replace macro zoned_instant(instant) as
    timezone('UTC', instant);
