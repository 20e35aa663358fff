-- fold.cancel_matches: every cancel with the print that it takes off the tape. Of the prints that
-- it repeats, that printed no later and are not cancelled yet, it takes the one named by the
-- vendor's key, else the latest; an E takes the earliest. The sequence is not a time order: it only
-- breaks ties within an instant. Cancels are matched in the order they became known, among the
-- prints known by then; later data never changes a match. A cancel without a match waits for the
-- next print that fits.
-- grain: cancel_sequence
-- reads: tape.conditions, tape.prints, tape.session
with recursive

known as (
    select
        prints.sequence,
        prints.printed_at,
        prints.known_at,
        coalesce(conditions.is_cancel, false) as is_cancel,
        coalesce(conditions.letter = 'E', false) as is_opening,
        nullif(nullif(prints.trade_id, ''), '0') as trade_id,
        prints.vendor_sequence,
        coalesce(prints.exchange, '') as exchange,
        prints.root,
        prints.expiry,
        prints.strike,
        prints.option_type,
        prints.price,
        prints.size
    from tape.prints as prints
    cross join tape.session as session
    left join tape.conditions as conditions on conditions.letter = prints.condition
    where prints.session_date = session.session_date
        and prints.known_at < session.known_until
),

-- a cancel repeats exchange, contract, price and size of what it takes off
repeats as (
    select
        exchange, root, expiry, strike, option_type, price, size,
        row_number() over () as repeat_number
    from known
    where is_cancel
    group by all
),

involved as (
    select
        known.sequence,
        known.printed_at,
        known.known_at,
        known.is_cancel,
        known.is_opening,
        known.trade_id,
        known.vendor_sequence,
        repeats.repeat_number,
        row_number() over (
            partition by repeats.repeat_number, known.is_cancel
            order by known.known_at, known.printed_at, known.sequence
        ) as round
    from known
    inner join repeats using (exchange, root, expiry, strike, option_type, price, size)
),

-- a round for each cancel of a repeat: the prints used so far, null for a cancel without one
rounds as (
    select repeat_number, 0::bigint as round, []::bigint[] as used
    from involved
    where is_cancel and round = 1
    union all
    select
        cancels.repeat_number,
        cancels.round,
        list_append(any_value(rounds.used), arg_min(prints.sequence, case
            when prints.known_at > cancels.known_at
                then row(
                    epoch_us(prints.known_at),
                    cancel_key_rank(prints, cancels),
                    epoch_us(prints.printed_at),
                    prints.sequence
                )
            when cancels.is_opening or cancel_key_rank(prints, cancels) < 2
                then row(
                    0,
                    cancel_key_rank(prints, cancels),
                    epoch_us(prints.printed_at),
                    prints.sequence
                )
            -- the latest: a closing bracket
            else row(
                0,
                cancel_key_rank(prints, cancels),
                -epoch_us(prints.printed_at),
                -prints.sequence
            )
        end)) as used
    from rounds
    inner join involved as cancels
        on cancels.is_cancel
        and cancels.repeat_number = rounds.repeat_number
        and cancels.round = rounds.round + 1
    left join involved as prints
        on not prints.is_cancel
        and prints.repeat_number = cancels.repeat_number
        and prints.printed_at <= cancels.printed_at
        and not list_contains(rounds.used, prints.sequence)
    group by cancels.repeat_number, cancels.round
)

select cancels.sequence as cancel_sequence, rounds.used[-1] as sequence
from rounds
inner join involved as cancels
    on cancels.is_cancel
    and cancels.repeat_number = rounds.repeat_number
    and cancels.round = rounds.round
where rounds.used[-1] is not null
