-- True for digits only, as most cells are: told by a cast, many times faster than by a pattern.
create or replace macro is_digits(text) as coalesce(try_cast(text as ubigint)::varchar = text, false);
