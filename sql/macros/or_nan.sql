-- A number for readers of columns of doubles, to whom NaN is the null.
create or replace macro or_nan(number) as coalesce(number::double, 'nan'::double);
