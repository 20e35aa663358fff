-- The instant of a print as its session counts: microseconds since 20:15 ET of the evening before.
-- The night of a holiday lies days before that, and counts as the day that ends there: below zero,
-- yet small enough that a sequence made of it survives JSON.
create or replace macro tape_instant(instant, starts_at) as
    case
        when instant >= starts_at then date_diff('microsecond', starts_at, instant)
        else (date_diff('microsecond', starts_at, instant) + 1) % 86400000000 - 1
    end;

-- The instant that a made sequence begins with: a hundred thousand share one.
create or replace macro sequence_instant(sequence) as
    (sequence - (sequence % 100000 + 100000) % 100000) // 100000;
