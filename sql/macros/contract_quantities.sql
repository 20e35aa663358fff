-- A quantity of contracts, expected or deviating, as a whole number of 1e-4: sums of these are exact
-- in any order, so the same with any number of threads.
create or replace macro whole_contracts(quantity) as (quantity)::decimal(18, 4);

-- A position or its deviation, no larger than the open interest where that is known.
create or replace macro bounded_position(quantity, open_interest) as
    case
        when open_interest is null then quantity
        else whole_contracts(greatest(least(quantity, open_interest), -open_interest))
    end;

-- Contracts of which only open interest is known: those that a source left unknown, and what the
-- open interest has more than these and the contracts that the source measured at most, such as
-- trades that are missing on the tape. Never more than the open interest, all of it where the source
-- could not count them; null where neither is known (least() and greatest() skip nulls).
create or replace macro bounded_guess(guessed_quantity, measured_quantity, open_interest) as
    whole_contracts(
        case
            when guessed_quantity is null then open_interest
            else least(greatest(guessed_quantity, open_interest - measured_quantity), open_interest)
        end
    );

-- Open interest as everybody's convention counts it: dealers long every call and short every put.
create or replace macro convention_quantity(option_type, open_interest) as
    case option_type when 'C' then open_interest when 'P' then -open_interest end;
