-- Run lengths of codes that named no leg, by exchange: one row a print of `prints_table` whose
-- code is known, with the codes since the last that named a leg, and whether any ever did, both
-- counted over what became known before the print. `runs_table` has the runs before the
-- table: exchange, run_length, has_leg.
-- reads: tape.conditions
create or replace macro code_runs(prints_table, runs_table) as table
with

coded as (
    select
        prints.sequence,
        coalesce(prints.exchange, '') as exchange,
        conditions.is_multi_leg,
        conditions.print_class = 'electronic'
            and not conditions.is_multi_leg
            and conditions.is_side_allowed as is_plain,
        row_number() over (
            partition by coalesce(prints.exchange, '')
            order by prints.known_at, prints.printed_at, prints.sequence
        ) as ordinal
    from query_table(prints_table) as prints
    inner join tape.conditions as conditions on conditions.letter = prints.condition
    where not conditions.is_cancel
),

legs_before as (
    select
        *,
        max(case when is_multi_leg then ordinal end) over (
            partition by exchange order by ordinal
            rows between unbounded preceding and 1 preceding
        ) as leg_ordinal
    from coded
)

select
    codes.sequence,
    codes.exchange,
    codes.ordinal,
    codes.is_plain,
    codes.is_multi_leg,
    codes.leg_ordinal is not null or coalesce(runs.has_leg, false) as has_leg,
    codes.ordinal - 1
        - coalesce(codes.leg_ordinal, -coalesce(runs.run_length, 0)) as run_length
from legs_before as codes
left join query_table(runs_table) as runs on runs.exchange = codes.exchange;

-- True when a print is folded as if it had no code: one that names no leg carries no information
-- where none of thousands does, or, at the beginning, none of a hundred.
create or replace macro is_code_silent(
    is_plain, has_leg, run_length, silent_codes, silent_first_codes
) as
    is_plain and run_length >= case when has_leg then silent_codes else silent_first_codes end;
