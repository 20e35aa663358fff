-- fold.print_sides: which way each print of a single contract says its customer went.
-- The size rule comes first: a print as large as the quoted size at its price filled a resting
-- customer order; then the quote; in the middle the larger side of the book. The next trade is
-- never looked at (Grauer, Schuster and Uhrig-Homburg 2022, without their last step).
-- grain: print_number
-- reads: fold.kept_prints, fold.order_members
-- param: side_middle, side_near, side_outside
with

placed as (
    select
        members.parent_id,
        prints.*,
        round(prints.best_bid * 100)::bigint as bid_cents,
        round(prints.best_ask * 100)::bigint as ask_cents
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
    where members.fold_rule in ('single', 'burst', 'orphan')
),

scored as (
    select
        *,
        case when is_quoted and bid_cents < ask_cents then
            (2 * cents - bid_cents - ask_cents) / (ask_cents - bid_cents)
        end as z
    from placed
)

select
    parent_id,
    print_number,
    size as weight,
    is_quoted,
    is_locked,
    bid_cents,
    ask_cents,
    z,
    case
        when ask_size <> bid_size
            and abs(z) between $side_near::double and $side_outside::double
            and size = case when z > 0 then ask_size else bid_size end
            then -sign(z)::integer
        when abs(z) >= $side_middle::double then sign(z)::integer
        when z is not null then coalesce(sign(ask_size - bid_size)::integer, 0)
        else 0
    end as side
from scored
