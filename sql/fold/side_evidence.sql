-- fold.side_evidence: what the quotes say of an order's side, in the classes that the calibration
-- knows: the kind of order, where its price stood (tenths of the half spread), and which way it
-- leans. A package is read at its net, mean over its fills. A single order is read at its first
-- print, which met the quote as it was; at the quote, the size shown there and what followed count
-- too: a print as large as the size shown filled a resting customer order (Grauer, Schuster and
-- Uhrig-Homburg 2022), a sweep went through it. In the middle it leans to the smaller size shown.
-- grain: parent_id
-- reads: fold.order_totals, fold.package_sides, fold.print_sides
-- param: side_middle, side_near, side_outside
with

package_reads as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0) as bought,
        coalesce(sum(weight) filter (where side < 0), 0) as sold,
        bool_or(is_locked or is_quoted) as has_quote
    from fold.package_sides
    group by parent_id
),

single_reads as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0) as bought,
        coalesce(sum(weight) filter (where side < 0), 0) as sold,
        bool_or(is_locked or is_quoted) as has_quote,
        sum(weight) as contracts,
        count(*) as print_count,
        min(cents) as lowest_cents,
        max(cents) as highest_cents,
        min(print_number) filter (where z is not null) as met_number
    from fold.print_sides
    group by parent_id
),

single_stories as (
    select
        reads.*,
        met.z as met_z,
        met.weight as met_size,
        met.bid_size,
        met.ask_size,
        case when met.z > 0 then met.ask_size else met.bid_size end as shown_size,
        case
            when met.z > 0 and reads.highest_cents > met.ask_cents then 'sweep'
            when met.z < 0 and reads.lowest_cents < met.bid_cents then 'sweep'
            when reads.print_count > 1 then 'several prints'
            else 'one print'
        end as story,
        met.ask_cents - met.bid_cents <= case when met.ask_cents <= 300 then 5 else 10 end
            as is_one_tick
    from single_reads as reads
    left join fold.print_sides as met on met.print_number = reads.met_number
),

reads as (
    select
        parent_id, z, bought, sold, has_quote, z as read_z, null as shown_story,
        sign(z)::integer as leaning
    from package_reads
    union all
    select
        parent_id, z, bought, sold, has_quote, met_z as read_z,
        case when is_one_tick then 'one tick: ' else 'wider: ' end
        || case
            when shown_size is null then 'size not shown: '
            when met_size = shown_size then 'size as shown: '
            when contracts > shown_size then 'size above shown: '
            else 'size below shown: '
        end || story as shown_story,
        case
            when abs(met_z) < $side_middle::double
                then coalesce(sign(ask_size - bid_size), 0)
            else sign(met_z)
        end::integer as leaning
    from single_stories
),

kinds as (
    select
        parent_id,
        case
            when fold_rule in ('single', 'burst', 'orphan') then 'single'
            else 'package'
        end || case
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
    || case when abs(reads.read_z) >= $side_near::double and reads.shown_story is not null
        then ': ' || reads.shown_story else ''
    end as evidence,
    case
        when abs(reads.read_z) > $side_outside::double then 11
        when abs(reads.read_z) >= $side_near::double and reads.shown_story is not null then 10
        else least(floor(abs(reads.read_z) * 10 + 1e-9), 10)
    end::integer as place
from reads
inner join kinds using (parent_id)
