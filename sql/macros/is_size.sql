-- True for a number of contracts that may stand at a quote. Null stays null.
create or replace macro is_size(contracts) as contracts >= 0 and contracts < 2e9;
