-- tape.silent_codes: prints whose code carries no information: it names no leg, nor did any of very
-- many codes of the same exchange that were known before. They are folded as prints without a code.
-- grain: sequence
-- reads: tape.prints
-- param: silent_codes, silent_first_codes
with

prints as (
    select sequence, exchange, condition, printed_at, known_at from tape.prints
),

-- nothing is known before the first print
runs as (
    select null::varchar as exchange, 0::bigint as run_length, false as has_leg
    where false
)

select sequence
from code_runs('prints', 'runs')
where is_code_silent(
    is_plain, has_leg, run_length, $silent_codes::bigint, $silent_first_codes::bigint
)
