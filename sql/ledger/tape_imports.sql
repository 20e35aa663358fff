-- ledger.tape_imports: what the imports of the session left out of the tape.
-- grain: one row
-- reads: tape.batches
with

totals as (
    select
        coalesce(sum(quarantined_count), 0)::bigint as unknown_condition_count,
        sum(read_count) filter (where dataset = 'prints')::bigint as print_row_count,
        coalesce(sum(rejected_count), 0)::bigint as rejected_row_count,
        sum(read_count)::bigint as row_count
    from tape.batches
)

select
    unknown_condition_count,
    unknown_condition_count / nullif(print_row_count, 0) as unknown_condition_share,
    rejected_row_count,
    rejected_row_count / nullif(row_count, 0) as rejected_row_share
from totals
