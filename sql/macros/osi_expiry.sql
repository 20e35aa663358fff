-- The date of the six digits YYMMDD in an option symbol.
create or replace macro osi_expiry(digits) as try_strptime('20' || digits, '%Y%m%d')::date;
