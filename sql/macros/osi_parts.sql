-- Root, date, right and strike of 'SPXW  241007C05750000' or 'O:SPXW241007C05750000'.
-- A FLEX option of SPX is '4SPX'. Empty parts when it is no such symbol. Source: the OCC's option symbology (21 characters).
create or replace macro osi_parts(symbol) as regexp_extract(
    symbol, '^(?:O:)?([0-9]?[A-Z]+[0-9]?) *([0-9]{6})([CP])([0-9]{8})$',
    ['root', 'expiry', 'option_type', 'strike']
);
