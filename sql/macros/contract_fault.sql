-- The fault of the four parts of a contract; null when there is none.
create or replace macro contract_fault(root, expiry, strike, option_type) as
    case
        when root is null or not regexp_full_match(root, '[A-Z][A-Z0-9]{0,5}')
            then 'root is missing or is not such as SPXW'
        when expiry is null or not isfinite(expiry) then 'expiry is missing or is not a date'
        when strike_fault(strike, null::double) is not null
            then strike_fault(strike, null::double)
        when option_type is null or option_type not in ('C', 'P')
            then 'option_type is not C or P'
    end;
