-- The first state, counted from that of an instant, which knows what happened at another one: a
-- state knows what was before it, and not what is of its own instant.
create or replace macro lab_state(happened_at, first_ms) as
    floor((epoch_us(happened_at) - first_ms * 1000) / 60_000_000.0::double) + 1;
