-- How much of the evidence of the quote is left at a position in it: nothing in the middle, all at the
-- quote and beyond. It rises early: prices inside the quote are about as often right as those at it.
create or replace macro side_shape(z) as
    1 - pow(1 - least(abs(z), 1), 3);

-- How often an order went the way its price leans, of how often it does at the quote and of the
-- position of its price.
create or replace macro right_share(rate, z) as
    1 / (1 + exp(-ln(rate / (1 - rate)) * side_shape(z)));
