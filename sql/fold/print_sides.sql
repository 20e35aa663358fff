-- fold.print_sides: position of each print of a single contract in its quote: z = -1 at the bid, 0
-- in the middle, 1 at the offer; null without a quote, and where the bid is not below the ask. side
-- is what the print alone says: 0 in the middle and without a z. The order's side is decided in
-- fold.order_sides and fold.order_signs.
-- grain: print_number
-- reads: fold.included_prints, fold.order_members
-- param: side_middle
with

single_prints as (
    select
        members.parent_id,
        members.fold_rule = 'single' as is_alone,
        prints.*,
        round(prints.best_bid * 100)::bigint as bid_cents,
        round(prints.best_ask * 100)::bigint as ask_cents
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
    where members.fold_rule in ('single', 'burst', 'orphan')
),

scored as (
    select
        *,
        case when is_quoted and bid_cents < ask_cents then
            (2 * cents - bid_cents - ask_cents) / (ask_cents - bid_cents)
        end as z
    from single_prints
)

select
    parent_id,
    is_alone,
    print_number,
    size as weight,
    cents,
    is_quoted,
    is_locked,
    bid_cents,
    ask_cents,
    bid_size,
    ask_size,
    z,
    case when abs(z) >= $side_middle::double then sign(z)::integer else 0 end as side
from scored
