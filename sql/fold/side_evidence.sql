-- fold.side_evidence: quote evidence of an order's side, in the classes of the calibration: the
-- kind of order, the position of its price (twentieths of the half spread), and which way it leans.
-- A package is read at its net, mean over its fills; in the middle it leans nowhere. A single order
-- is read at its first print. Large orders without a condition may be crosses.
-- grain: parent_id
-- reads: fold.order_totals, fold.package_sides, fold.single_reads
-- param: side_large, side_middle, side_near, side_outside
with

package_reads as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0)::bigint as bought,
        coalesce(sum(weight) filter (where side < 0), 0)::bigint as sold,
        bool_or(is_locked or is_quoted) as has_quote
    from fold.package_sides
    group by parent_id
),

reads as (
    select
        parent_id, z, bought, sold, has_quote, z as read_z, null as inside, null as at_quote,
        case when abs(z) >= $side_middle::double then sign(z) else 0 end::integer as leaning
    from package_reads
    union all
    select parent_id, z, bought, sold, has_quote, read_z, inside, at_quote, leaning
    from fold.single_reads
),

kinds as (
    select
        parent_id,
        case
            when fold_rule in ('single', 'burst', 'orphan', 'leftover') then 'single'
            else 'package'
        end || case
            when condition is null and leg_count > 1 and unit >= $side_large::bigint
                then ' without condition: large'
            when condition is null then ' without condition'
            when condition = 't' then ' floor combo'
            when print_class = 'floor' then ' floor'
            when fold_rule in ('single', 'burst') and print_class = 'auction' then ' auction'
            when condition in ('j', 'l') then ' against singles'
            else ''
        end as kind
    from fold.order_totals
)

select
    reads.parent_id,
    reads.z,
    reads.read_z,
    reads.bought,
    reads.sold,
    reads.has_quote,
    reads.leaning,
    kinds.kind
    || case
        when reads.inside is null then ''
        when abs(reads.read_z) >= $side_near::double then ': ' || reads.at_quote
        else ': ' || reads.inside
    end as evidence,
    case
        when abs(reads.read_z) > $side_outside::double then 21
        when abs(reads.read_z) >= $side_near::double and reads.at_quote is not null then 20
        -- package prices lie anywhere, so a tenth has orders enough; ticks separate single orders
        when reads.at_quote is null then least(2 * floor(abs(reads.read_z) * 10 + 1e-9), 20)
        else floor(abs(reads.read_z) * 20 + 1e-9)
    end::integer as price_position
from reads
inner join kinds using (parent_id)
