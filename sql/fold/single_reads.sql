-- fold.single_reads: quote evidence of a single order at its first print, which met the quote as it
-- was. At the quote the size shown there counts: a print of just that size filled the whole of a
-- resting customer order (Grauer, Schuster and Uhrig-Homburg 2022); what is larger cannot have
-- rested there.
-- grain: parent_id
-- reads: fold.print_sides
-- param: side_near
with

summed as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0)::bigint as bought,
        coalesce(sum(weight) filter (where side < 0), 0)::bigint as sold,
        bool_or(is_locked or is_quoted) as has_quote,
        sum(weight) as contracts,
        min(print_number) filter (where z is not null) as met_number
    from fold.print_sides
    where not is_alone
    group by parent_id
),

first_reads as (
    select
        summed.* exclude (met_number),
        met.z as read_z,
        met.weight as met_size,
        case when met.z > 0 then met.ask_size else met.bid_size end as shown_size
    from summed
    left join fold.print_sides as met on met.print_number = summed.met_number
    union all
    -- most orders are one print: there is nothing to add up
    select
        parent_id,
        exact_term(weight * z) / weight,
        case when side > 0 then weight else 0 end,
        case when side < 0 then weight else 0 end,
        is_locked or is_quoted,
        weight,
        z,
        weight,
        case when z > 0 then ask_size else bid_size end
    from fold.print_sides
    where is_alone
)

select
    parent_id,
    z,
    bought,
    sold,
    has_quote,
    read_z,
    case
        when shown_size is null or abs(read_z) < $side_near::double then 'not shown'
        when shown_size in (met_size, contracts) then 'equal'
        when contracts > shown_size then 'above'
        else 'below'
    end as size_class
from first_reads
