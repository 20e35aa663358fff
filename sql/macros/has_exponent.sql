-- True for a number that is written with an exponent, such as 1.76E+18: its last digits are gone.
create or replace macro has_exponent(text) as
    regexp_full_match(text, '[+-]?[0-9]+([.][0-9]*)?[eE][+-]?[0-9]+');
