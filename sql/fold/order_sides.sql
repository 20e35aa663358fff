-- fold.order_sides: which way the quote says the customer of an order went, before anything that
-- forbids a side. A print of a single order is read by the size rule first: a print as large as
-- the quoted size at its price filled a resting customer order; then by the quote, and in the
-- middle by the larger side of the book (Grauer, Schuster and Uhrig-Homburg 2022, without their
-- last step, which looks at the next trade).
-- grain: parent_id
-- reads: fold.fill_sides, fold.kept_prints, fold.parents
-- param: side_middle, side_near, side_outside
with

read as (
    select
        parents.parent_id,
        sides.weight,
        sides.z,
        sides.is_quoted,
        sides.is_locked,
        case
            when prints.print_number is null then null
            when prints.ask_size <> prints.bid_size
                and abs(sides.z) between $side_near::double and $side_outside::double
                and prints.size = case
                    when sides.z > 0 then prints.ask_size else prints.bid_size
                end then -sign(sides.z)::integer
            when abs(sides.z) < $side_middle::double
                then sign(prints.ask_size - prints.bid_size)::integer
        end as resting_side
    from fold.fill_sides as sides
    inner join fold.parents as parents using (fill_id)
    left join fold.kept_prints as prints using (print_number)
),

signed as (
    select
        *,
        coalesce(
            resting_side,
            case when abs(z) >= $side_middle::double then sign(z)::integer else 0 end
        ) as side
    from read
),

summed as (
    select
        parent_id,
        exact_sum(weight * z) / sum(weight) filter (where z is not null) as z,
        coalesce(sum(weight) filter (where side > 0), 0) as bought,
        coalesce(sum(weight) filter (where side < 0), 0) as sold,
        count(z) as read_count,
        bool_or(is_locked) as is_locked,
        bool_or(is_quoted) as is_quoted
    from signed
    group by parent_id
)

select
    parent_id,
    z,
    case
        when read_count = 0 or abs(z) > $side_outside::double then 0
        when least(bought, sold) > 0.2 * (bought + sold) then 0
        when bought <> sold then sign(bought - sold)::integer
        else 0
    end as side,
    case
        when read_count = 0 and (is_locked or is_quoted) then 'locked'
        when read_count = 0 then 'no_quote'
        when abs(z) > $side_outside::double then 'outside'
        when least(bought, sold) > 0.2 * (bought + sold) then 'fills_disagree'
        when bought = sold then 'middle'
    end as reason,
    case when bought <> sold then sign(bought - sold)::integer else 0 end as side_if_outside
from summed
