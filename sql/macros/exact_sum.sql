-- A sum of doubles that does not depend on the order of the rows, so on the number of threads:
-- terms are rounded to 1e-10 (as a cast to an integer does) and added as integers. Good for
-- |term| < 9e8. Null terms are skipped.
create or replace macro exact_sum(term) as
    sum((term * 1e10)::bigint)::double / 1e10;

-- That of a single term.
create or replace macro exact_term(term) as (term * 1e10)::bigint::double / 1e10;

-- The same sum before it is a double, so that it can be added to another one.
create or replace macro exact_units(term) as sum((term * 1e10)::bigint);

-- The same for squares, which are larger: terms are rounded to 1e-6. Good for |term| < 9e12.
create or replace macro exact_square_sum(term) as
    sum((term * 1e6)::bigint)::double / 1e6;
