-- The first minute whose state knows what became known at an instant: state HH:MM knows everything
-- strictly before HH:MM:00.
create or replace macro state_after(instant) as
    date_trunc('minute', instant) + interval 1 minute;

-- Prints of a slow class spread one order over minutes, all others over seconds; an order never
-- holds both, so that news of one kind cannot change an order of the other.
create or replace macro is_slow_class(print_class) as
    print_class in ('floor', 'legacy');
