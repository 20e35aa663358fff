-- live.new_silent_prints: the new prints whose condition code carries no information, as in
-- tape.silent_codes.
-- grain: sequence
-- reads: live.arrivals, live.code_runs
-- param: silent_codes, silent_first_codes
with

prints as (
    select sequence, exchange, condition, printed_at, known_at from live.arrivals
),

runs as (
    from live.code_runs
)

select sequence
from code_runs('prints', 'runs')
where is_code_silent(
    is_plain, has_leg, run_length, $silent_codes::bigint, $silent_first_codes::bigint
)
