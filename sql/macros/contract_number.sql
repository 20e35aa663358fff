-- A contract as one number that says what a package needs to know of it, and that sorts in canonical
-- order: expiry, strike, C before P. The expiry is that of fold.contracts, a strike counts in
-- millionths: below 10,000,000 it takes 44 bits.
create or replace macro contract_number_of(expiry_number, strike, option_type) as
    (expiry_number << 45) + (round(strike * 1000000)::bigint << 1) + (option_type = 'P')::bigint;

create or replace macro expiry_number_of(contract_number) as contract_number >> 45;

create or replace macro strike_millionths_of(contract_number) as
    (contract_number >> 1) & 17592186044415;

create or replace macro option_type_of(contract_number) as
    case when contract_number & 1 = 1 then 'P' else 'C' end;
