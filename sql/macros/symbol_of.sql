-- The product of a root: SPXW trades under SPX, as symbolOf of src/market/contract.ts says.
create or replace macro symbol_of(root) as
    case root when 'SPXW' then 'SPX' when 'VIXW' then 'VIX' when 'NDXP' then 'NDX' else root end;
