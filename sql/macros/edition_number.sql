-- The number of a version of an order that another one took the place of: no number of a print, and
-- of no other version, for numbers of prints lie within 2^53 (import.sequenced_prints). Fails from
-- 512 versions on. Texts would do, but everything that is said of an order is joined by it.
create or replace macro edition_number(first_sequence, revision_number) as
    revision_number::bigint * 18014398509481984 + first_sequence;
