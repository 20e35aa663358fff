-- A text that is an address of the web; null where it is none, as the name of a newspaper.
create or replace macro web_address(text) as
    case when length(text) <= 2000 and regexp_full_match(text, 'https?://[!-~]+') then text end;
