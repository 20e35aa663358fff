-- The number of a version of an order that another one took the place of: no number of a print, and
-- of no other version. Texts would do, but everything that is said of an order is joined by it.
create or replace macro edition_number(first_sequence, revision_number) as
    revision_number::hugeint * 18446744073709551616::hugeint + first_sequence;
