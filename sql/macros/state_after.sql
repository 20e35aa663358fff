-- The first minute whose state knows what became known at an instant: state HH:MM knows everything
-- strictly before HH:MM:00.
create or replace macro state_after(instant) as
    date_trunc('minute', instant) + interval 1 minute;

-- Prints of a slow class spread one order over minutes, all others over seconds; an order never
-- holds both, so late data of one kind cannot change an order of the other.
create or replace macro is_slow_class(print_class) as
    print_class in ('floor', 'legacy');

-- Prints that can meet in one order: all that are or may be legs, by their kind of market, and of
-- the others only those of one contract. A number of the partition, to compare only.
create or replace macro order_partition(
    print_class, is_multi_leg, condition, root, expiry, strike, option_type
) as
    case
        when is_multi_leg or condition is null or print_class = 'late'
            then hash(is_slow_class(print_class))
        else hash(is_slow_class(print_class), root, expiry, strike, option_type)
    end;
