-- Seconds from one instant to another, rounded up.
create or replace macro whole_seconds(from_at, to_at) as
    ((epoch_us(to_at) - epoch_us(from_at) + 999_999) // 1_000_000)::integer;
