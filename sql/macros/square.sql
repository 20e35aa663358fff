-- The square by one multiplication: the function power takes as long as an exponential.
create or replace macro square(x) as x * x;
