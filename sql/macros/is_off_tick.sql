-- True when a price in cents is impossible for a single order of an index option: those trade in
-- 0.05 below 3.00 and in 0.10 from there; only legs of complex orders trade in pennies.
create or replace macro is_off_tick(cents) as
    cents % (case when cents < 300 then 5 else 10 end) <> 0;
