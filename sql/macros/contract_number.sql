-- A contract as one number that says what a package needs to know of it, and that sorts in
-- canonical order: expiry, root, strike, C before P. A strike counts in millionths: below
-- 10,000,000 it takes 44 bits. The number does not depend on what else traded.
create or replace macro contract_number_of(expiry_number, strike, option_type) as
    (expiry_number << 45) + (round(strike * 1000000)::bigint << 1) + (option_type = 'P')::bigint;

create or replace macro expiry_number_of(contract_number) as contract_number >> 45;

create or replace macro strike_millionths_of(contract_number) as
    (contract_number >> 1) & 17592186044415;

create or replace macro option_type_of(contract_number) as
    case when contract_number & 1 = 1 then 'P' else 'C' end;

-- SPX of a Friday settles in the morning, SPXW in the evening: two expiries, in this order. So are
-- SPXPM and SPXQ of a day: up to four roots of a product, in the order of tape.roots.
create or replace macro expiry_order(root, expiry) as
    4 * (expiry - date '1970-01-01') + root_number_of(root)::bigint;
