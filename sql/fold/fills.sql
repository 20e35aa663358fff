-- fold.fills: executions of packages: contracts, ratios, times, and the net price in cents of one
-- package times `unit` under every pattern that has a name (under all if none has).
-- grain: fill_id
-- reads: fold.fill_shapes, fold.included_prints, fold.package_prints, fold.shape_patterns
with

times as (
    select
        members.fill_id,
        any_value(prints.exchange) as exchange,
        -- an order fills in the auction, against the book and against single orders alike
        min(
            case when prints.print_class in ('floor', 'cross', 'legacy') then prints.print_class
            else 'electronic' end
        ) as order_class,
        min(prints.printed_us) as first_us,
        max(prints.printed_us) as last_us
    from fold.package_prints as members
    inner join fold.included_prints as prints using (print_number)
    group by members.fill_id
),

nameless as (
    select shape from fold.shape_patterns
    group by shape having bool_and(structure = 'custom')
),

nets as (
    select
        shapes.fill_id,
        list_sort(list((
            patterns.pattern,
            list_sum([x[1] * x[2] for x in list_zip(shapes.cashes, patterns.signs)])::bigint
        ))) as nets
    from fold.fill_shapes as shapes
    inner join fold.shape_patterns as patterns using (shape)
    where patterns.structure <> 'custom' or patterns.shape in (select shape from nameless)
    group by shapes.fill_id
)

select
    times.fill_id,
    times.exchange,
    times.order_class,
    times.first_us,
    times.last_us,
    shapes.unit,
    shapes.contract_numbers,
    shapes.ratios,
    [net[2] for net in nets.nets] as nets
from times
inner join fold.fill_shapes as shapes using (fill_id)
inner join nets using (fill_id)
