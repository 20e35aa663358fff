-- A sum of doubles that does not depend on the order of the rows, so on the number of threads:
-- terms are rounded to 1e-10 (as a cast to an integer does) and added as integers. Good for
-- |term| < 9e8. Null terms are skipped.
create or replace macro exact_sum(term) as
    sum((term * 1e10)::bigint)::double / 1e10;

-- That of a single term.
create or replace macro exact_term(term) as (term * 1e10)::bigint::double / 1e10;

-- The same sum before it is a double, so that it can be added to another one.
create or replace macro exact_units(term) as sum((term * 1e10)::bigint);

-- A square, which is larger, as a whole number of 1e-6, or a slope, which a logit multiplies. Good for
-- |term| < 9e12.
create or replace macro square_units(term) as (term * 1e6)::bigint;

-- This unit: a square of less may be counted as none.
create or replace macro square_unit() as 1e-6::double;

-- The same sum for squares. A running one, which no macro can name, adds their units.
create or replace macro exact_square_sum(term) as sum(square_units(term))::double / 1e6;

-- A term rounded to 1e-10 in the same way, counted in these units, still a double: adding these is
-- exact in any order, and takes less time than integers do, as long as is_sum_exact() holds.
create or replace macro whole_units(term) as
    (term * 1e10 + 6755399441055744.0::double) - 6755399441055744.0::double;

-- Fails unless the amounts of all terms together are so small that a double holds every sum of
-- them.
create or replace macro is_sum_exact(gross) as
    case
        when coalesce(gross, 0) < 2e5 then true
        else error(
            'positions have ' || round(gross) || ' $M of gamma per index point, and less than '
            || '200000 can be true: give open interest and positions in contracts, such as 1500.'
        )
    end;
