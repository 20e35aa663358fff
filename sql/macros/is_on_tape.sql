-- An earlier version of a print has a number of its own, far below those of prints of the tape,
-- which lie within 2^53 (import.sequenced_prints). So have the orders that begin with one.
create or replace macro number_before(ordinal) as ordinal - 4611686018427387904;

create or replace macro is_on_tape(sequence) as sequence > -9007199254740992;
