-- ledger.tape_imports: rows that the imports of the session left out of the tape, and files that
-- their vendor calls degraded. The dataset that
-- lost the largest share stands for all: a large one would hide the losses of a small one.
-- grain: one row
-- reads: tape.batches
with

datasets as (
    select
        dataset,
        coalesce(sum(quarantined_count), 0)::bigint as unknown_condition_count,
        coalesce(sum(rejected_count), 0)::bigint as rejected_row_count,
        sum(read_count)::bigint as row_count,
        count(*) filter (is_degraded) as degraded_file_count
    from tape.batches
    group by dataset
),

totals as (
    select
        coalesce(sum(unknown_condition_count), 0)::bigint as unknown_condition_count,
        sum(row_count) filter (where dataset = 'prints')::bigint as print_row_count,
        coalesce(sum(rejected_row_count), 0)::bigint as rejected_row_count,
        max(rejected_row_count / nullif(row_count, 0)) as rejected_row_share,
        coalesce(sum(degraded_file_count), 0)::bigint as degraded_file_count
    from datasets
)

select
    unknown_condition_count,
    unknown_condition_count / nullif(print_row_count, 0) as unknown_condition_share,
    rejected_row_count,
    rejected_row_share,
    degraded_file_count
from totals
