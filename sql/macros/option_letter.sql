-- The letter of an option type that may be a word: C of CALL, P of PUT; any other text in capitals.
create or replace macro option_letter(text) as
    case upper(text) when 'CALL' then 'C' when 'PUT' then 'P' else upper(text) end;
