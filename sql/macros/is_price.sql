-- True for a price that can stand beside an option: zero or more, and finite. Null stays null.
create or replace macro is_price(price) as price >= 0 and price < 1e9;
