-- The number of a superseded version of an order, distinct from the numbers of prints, which lie
-- within 2^53 (import.sequenced_prints), and of other versions. Fails from 512 versions on. Texts
-- would do, but every table about orders is joined by it.
create or replace macro edition_number(first_sequence, revision_number) as
    revision_number::bigint * 18014398509481984 + first_sequence;
