-- True for a price that can be that of an option: zero, or a cent or more, and finite. Less than
-- a cent is a price in another unit. Null stays null.
create or replace macro is_price(price) as price = 0 or (price >= 0.01 and price < 1e7);
