-- Agreement of a fold with known parents. `labels_table` has one row an item (a print) with its
-- `truth` and its `pred` label. Pair precision and recall count pairs of items in one parent; an
-- exact parent has the very same items; the adjusted Rand index is 1 for a perfect fold and 0 for
-- chance (Hubert and Arabie 1985). Null where there is nothing to divide by.
create or replace macro fold_metrics(labels_table) as table
with

cells as (
    select truth, pred, count(*)::double as items
    from query_table(labels_table)
    group by truth, pred
),

sized as (
    select
        *,
        sum(items) over (partition by truth) as truth_items,
        sum(items) over (partition by pred) as pred_items
    from cells
),

pairs as (
    select
        sum(items) as items,
        sum(items * (items - 1) / 2) as together,
        sum(items / truth_items * truth_items * (truth_items - 1) / 2) as truth_pairs,
        sum(items / pred_items * pred_items * (pred_items - 1) / 2) as pred_pairs,
        count(*) filter (where items = truth_items and items = pred_items) as exact_parents,
        count(distinct truth) as truth_parents,
        count(distinct pred) as pred_parents
    from sized
),

expected as (
    select *, truth_pairs * pred_pairs / (items * (items - 1) / 2) as by_chance
    from pairs
)

select
    items::bigint as item_count,
    together / nullif(pred_pairs, 0) as pair_precision,
    together / nullif(truth_pairs, 0) as pair_recall,
    exact_parents / nullif(pred_parents, 0) as parent_exact_precision,
    exact_parents / nullif(truth_parents, 0) as parent_exact_recall,
    case
        when truth_pairs = pred_pairs and together = truth_pairs then 1.0
        else (together - by_chance) / ((truth_pairs + pred_pairs) / 2 - by_chance)
    end as adjusted_rand_index
from expected;
