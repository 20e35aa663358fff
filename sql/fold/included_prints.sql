-- fold.included_prints: the prints that count, in tape order, with the attributes that the fold reads.
-- grain: print_number
-- reads: fold.print_fates, tape.conditions, tape.prints
-- param: quote_age_us
with

-- numbered by themselves: whole prints are too wide to be sorted
numbered as (
    select
        sequence,
        letter,
        row_number() over (order by printed_at, sequence) as print_number
    from fold.print_fates
    where fate = 'kept'
),

described as (
    select
        numbered.print_number,
        prints.* replace (numbered.letter as condition),
        contract_number_of(
            expiry_order(prints.root, prints.expiry), prints.strike, prints.option_type
        ) as contract_number,
        round(prints.price * 100)::bigint as cents,
        coalesce(conditions.is_multi_leg, false) as is_multi_leg,
        print_class_of(numbered.letter, conditions.print_class) as print_class,
        coalesce(conditions.is_side_allowed, numbered.letter is null) as is_side_allowed,
        is_print_quoted(
            prints.best_bid,
            prints.best_ask,
            prints.printed_at,
            prints.quoted_at,
            $quote_age_us::bigint
        ) as is_quoted
    from tape.prints as prints
    inner join numbered using (sequence)
    left join tape.conditions as conditions on conditions.letter = numbered.letter
)

select
    print_number,
    sequence,
    printed_at,
    epoch_us(printed_at) as printed_us,
    known_at,
    contract_number,
    coalesce(exchange, '') as exchange,
    size,
    cents,
    size * cents as cash_cents,
    coalesce(is_off_tick(cents), false) as is_off_tick,
    coalesce(cents % 5 <> 0, false) as is_penny,
    condition,
    is_multi_leg,
    print_class,
    is_side_allowed,
    best_bid,
    best_ask,
    bid_size,
    ask_size,
    best_bid is not null and best_ask is not null and best_bid >= best_ask as is_locked,
    is_quoted,
    case when is_quoted then sign(2 * price - best_bid - best_ask)::integer end as quoted_side
from described
