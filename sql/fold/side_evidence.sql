-- fold.side_evidence: quote evidence of an order's side: its kind, its size against the size shown,
-- and the position of its price. A package is read at its net, mean over its fills, a single order
-- at its first print.
-- grain: parent_id
-- reads: fold.order_totals, fold.package_sides, fold.single_reads
with

reads as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0)::bigint as bought,
        coalesce(sum(weight) filter (where side < 0), 0)::bigint as sold,
        bool_or(is_locked or is_quoted) as has_quote,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as read_z,
        'any' as size_class
    from fold.package_sides
    group by parent_id
    union all
    select parent_id, z, bought, sold, has_quote, read_z, size_class
    from fold.single_reads
)

select
    reads.* exclude (size_class),
    case
        when totals.print_class = 'floor' then 'floor'
        when totals.fold_rule not in ('single', 'burst', 'orphan', 'leftover') then 'package'
        when totals.fold_rule in ('single', 'burst') and totals.print_class = 'auction'
            then 'auction'
        else 'single'
    end as kind,
    if(kind = 'single', reads.size_class, 'any') as size_class,
    -- a floor combo may print outside the market by rule
    coalesce(totals.condition = 't', false) as may_be_outside
from reads
inner join fold.order_totals as totals using (parent_id)
