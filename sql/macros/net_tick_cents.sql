-- The step of a complex order's net price, in cents. Cboe: SPX packages trade in 0.05, boxes in
-- 0.01, while their legs trade in pennies; so a wrong fold of penny legs is off the step four
-- times in five. Where no wider step is known it is a penny, and the test says nothing.
create or replace macro net_tick_cents(symbol, structure) as
    case when symbol = 'SPX' and structure <> 'box' then 5 else 1 end;
