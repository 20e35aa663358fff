-- fold.single_reads: quote evidence of a single order at its first print, which met the quote as it
-- was. Inside a quote of few ticks a price is rounded far, so it is weaker evidence; a large order
-- there may be a cross where the vendor gives no conditions. At the quote, the size shown and the
-- later prints count: a print as large as the size shown filled a resting customer order (Grauer,
-- Schuster and Uhrig-Homburg 2022), a sweep went through it, many prints took the quotes of many
-- makers. In the middle it leans to the smaller size shown.
-- grain: parent_id
-- reads: fold.print_sides
-- param: side_few_prints, side_few_ticks, side_large, side_medium, side_middle
with

summed as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0)::bigint as bought,
        coalesce(sum(weight) filter (where side < 0), 0)::bigint as sold,
        bool_or(is_locked or is_quoted) as has_quote,
        sum(weight) as contracts,
        count(*) as print_count,
        min(cents) as lowest_cents,
        max(cents) as highest_cents,
        min(print_number) filter (where z is not null) as met_number
    from fold.print_sides
    where not is_alone
    group by parent_id
),

first_reads as (
    select
        summed.* exclude (met_number),
        met.z as met_z,
        met.weight as met_size,
        met.bid_size,
        met.ask_size,
        met.bid_cents,
        met.ask_cents
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
        1,
        cents,
        cents,
        z,
        case when z is not null then weight end,
        case when z is not null then bid_size end,
        case when z is not null then ask_size end,
        case when z is not null then bid_cents end,
        case when z is not null then ask_cents end
    from fold.print_sides
    where is_alone
),

described as (
    select
        *,
        case when met_z > 0 then ask_size else bid_size end as shown_size,
        case
            when met_z > 0 and highest_cents > ask_cents then 'sweep'
            when met_z < 0 and lowest_cents < bid_cents then 'sweep'
            when print_count > $side_few_prints::bigint then 'many prints'
            when print_count > 1 then 'few prints'
            else 'one print'
        end as story,
        case
            when contracts >= $side_large::bigint then 'large'
            when contracts >= $side_medium::bigint then 'medium'
            else 'small'
        end as size_class,
        (ask_cents - bid_cents) / case when ask_cents <= 300 then 5 else 10 end as tick_count
    from first_reads
)

select
    parent_id,
    z,
    bought,
    sold,
    has_quote,
    met_z as read_z,
    case
        when tick_count <= 1 then 'one tick'
        when tick_count <= $side_few_ticks::integer then 'few ticks'
        when tick_count <= 2 * $side_few_ticks::integer then 'some ticks'
        else 'many ticks'
    end || case when size_class = 'large' then ': large' else '' end as inside,
    case when tick_count <= 1 then 'one tick: ' else 'wider: ' end
    || case
        when shown_size is null then 'size not shown: '
        when met_size = shown_size then 'size as shown: '
        when contracts > shown_size then 'size above shown: '
        else 'size below shown: '
    end || story || ': ' || size_class as at_quote,
    case
        when abs(met_z) < $side_middle::double
            then coalesce(sign(ask_size - bid_size), 0)
        else sign(met_z)
    end::integer as leaning
from described
