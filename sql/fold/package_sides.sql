-- fold.package_sides: position of each package's net price in the quote of the whole, made of its
-- legs' quotes: z = -1 at the bid, 0 in the middle, 1 at the offer.
-- grain: fill_id
-- reads: fold.fill_legs, fold.fill_shapes, fold.included_prints, fold.order_patterns, fold.parents
-- param: side_middle
with

quotes as (
    select
        legs.fill_id,
        list_sort(list((
            legs.contract_number,
            round(prints.best_bid * 100)::bigint,
            round(prints.best_ask * 100)::bigint
        ))) as quotes,
        bool_and(prints.is_quoted) as is_quoted,
        bool_or(prints.is_locked) as is_locked
    from fold.fill_legs as legs
    inner join fold.included_prints as prints on prints.print_number = legs.first_print_number
    where legs.fill_id in (select fill_id from fold.fill_shapes)
    group by legs.fill_id
),

sided as (
    select
        shapes.fill_id,
        parents.parent_id,
        shapes.unit,
        quotes.is_quoted,
        quotes.is_locked,
        list_sum([x[1] * x[2] for x in list_zip(shapes.cashes, patterns.signs)]) / shapes.unit
            as net_cents,
        [x[1] * x[2] for x in list_zip(patterns.signs, shapes.ratios)] as quantities,
        [quote[2] for quote in quotes.quotes] as bids,
        [quote[3] for quote in quotes.quotes] as asks
    from fold.fill_shapes as shapes
    inner join fold.parents as parents using (fill_id)
    inner join fold.order_patterns as patterns on patterns.parent_id = parents.parent_id
    inner join quotes on quotes.fill_id = shapes.fill_id
    where patterns.signs is not null
),

synthetic as (
    select
        *,
        list_sum([
            x[1] * case when x[1] > 0 then x[2] else x[3] end
            for x in list_zip(quantities, bids, asks)
        ])::bigint as bid_cents,
        list_sum([
            x[1] * case when x[1] > 0 then x[3] else x[2] end
            for x in list_zip(quantities, bids, asks)
        ])::bigint as ask_cents
    from sided
),

scored as (
    select
        *,
        case when is_quoted and bid_cents < ask_cents then
            (2 * net_cents - bid_cents - ask_cents) / (ask_cents - bid_cents)
        end as z
    from synthetic
)

select
    parent_id,
    fill_id,
    unit as weight,
    is_quoted,
    is_locked,
    bid_cents,
    ask_cents,
    z,
    case when abs(z) >= $side_middle::double then sign(z)::integer else 0 end as side
from scored
