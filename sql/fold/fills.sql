-- fold.fills: executions of packages: what traded in which ratio, when, and its net price in cents
-- of one package times `unit` under every way that has a name (under all if none has).
-- grain: fill_id
-- reads: fold.fill_legs, fold.fill_prints, fold.fill_shapes, fold.kept_prints, fold.shape_patterns
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
    from fold.fill_prints as members
    inner join fold.kept_prints as prints using (print_number)
    group by members.fill_id
),

signatures as (
    select
        legs.fill_id,
        any_value(shapes.unit) as unit,
        any_value(shapes.shape) as shape,
        string_agg(
            legs.contract_number || 'x' || legs.contracts // shapes.unit, ','
            order by legs.contract_number
        ) as signature,
        list(legs.cash_cents order by legs.contract_number) as cashes
    from fold.fill_legs as legs
    inner join fold.fill_shapes as shapes using (fill_id)
    group by legs.fill_id
),

nameless as (
    select shape from fold.shape_patterns
    group by shape having bool_and(structure = 'custom')
),

nets as (
    select
        signatures.fill_id,
        list(
            list_sum([x[1] * x[2] for x in list_zip(signatures.cashes, patterns.signs)])::bigint
            order by patterns.pattern
        ) as nets
    from signatures
    inner join fold.shape_patterns as patterns using (shape)
    where patterns.structure <> 'custom' or patterns.shape in (select shape from nameless)
    group by signatures.fill_id
)

select
    times.fill_id,
    times.exchange,
    times.order_class,
    times.first_us,
    times.last_us,
    signatures.unit,
    signatures.signature,
    nets.nets
from times
inner join signatures using (fill_id)
inner join nets using (fill_id)
