-- fold.cancel_matches: every cancel with the print that it takes off the tape.
-- grain: cancel_sequence
-- reads: tape.conditions, tape.prints, tape.session
with

known as (
    select
        prints.sequence,
        conditions.letter,
        coalesce(conditions.is_cancel, false) as is_cancel,
        nullif(nullif(prints.trade_id, ''), '0') as trade_id,
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

cancels as (
    select * from known where is_cancel
),

-- a cancel repeats exchange, contract, price and size of what it takes off
involved as (
    select
        *,
        concat_ws('|', exchange, root, expiry, strike, option_type, price, size) as repeated
    from known
    semi join cancels using (exchange, root, expiry, strike, option_type, price, size)
),

named as (
    select
        *,
        row_number() over (
            partition by repeated, trade_id, is_cancel order by sequence
        ) as report_number
    from involved
    where trade_id is not null
),

by_trade_id as (
    select cancels.sequence as cancel_sequence, targets.sequence
    from named as cancels
    inner join named as targets
        on targets.repeated = cancels.repeated
        and targets.trade_id = cancels.trade_id
        and targets.report_number = cancels.report_number
        and targets.sequence < cancels.sequence
    where cancels.is_cancel and not targets.is_cancel
),

unnamed as (
    select
        *,
        row_number() over (
            partition by repeated, is_cancel, letter = 'E' order by sequence
        ) as opening_number,
        row_number() over (partition by repeated, is_cancel order by sequence) as print_number
    from involved
    where sequence not in (select cancel_sequence from by_trade_id)
        and sequence not in (select sequence from by_trade_id)
),

-- E cancels the opening report: the earliest print that stands
by_opening as (
    select cancels.sequence as cancel_sequence, targets.sequence
    from unnamed as cancels
    inner join unnamed as targets
        on targets.repeated = cancels.repeated
        and targets.print_number = cancels.opening_number
        and targets.sequence < cancels.sequence
    where cancels.is_cancel and cancels.letter = 'E' and not targets.is_cancel
),

-- every other cancel takes the latest print that stands, like a closing bracket
bracketed as (
    select
        *,
        sum(case when is_cancel then -1 else 1 end) over (
            partition by repeated order by sequence
        ) as depth
    from unnamed
    where letter is distinct from 'E'
        and sequence not in (select sequence from by_opening)
),

by_depth as (
    select cancels.sequence as cancel_sequence, max(targets.sequence) as sequence
    from bracketed as cancels
    inner join bracketed as targets
        on targets.repeated = cancels.repeated
        and targets.depth = cancels.depth + 1
        and targets.sequence < cancels.sequence
    where cancels.is_cancel and not targets.is_cancel
    group by cancels.sequence
)

select cancel_sequence, sequence, 'trade_id' as matched_by from by_trade_id
union all
select cancel_sequence, sequence, 'opening' as matched_by from by_opening
union all
select cancel_sequence, sequence, 'latest' as matched_by from by_depth
