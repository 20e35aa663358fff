-- surface.quotes: the last NBBO of the call and of the put of each strike strictly before each
-- minute, recent enough to trust. A contract without one has nulls in its columns. Minute quotes
-- may be 60 seconds old. Before any minute quote is known, a tape gives the NBBO that its prints
-- carried in the trailing five minutes, where it was two-sided and not crossed.
-- grain: term_number, strike
-- reads: surface.discounts, surface.sources, tape.minutes, tape.prints, tape.quotes
with

print_quotes as (
    select
        *,
        -- a vendor that does not say when the NBBO stood means the instant of the print
        coalesce(quoted_at, printed_at) as stood_at
    from tape.prints
    -- later quotes serve later minutes
    where stood_at < coalesce((select quotes_from from surface.sources), 'infinity')
        and best_bid > 0
        and best_ask >= best_bid
),

-- a quote serves the five minutes that end after it
print_states as materialized (
    select
        minutes.minute_at,
        print_quotes.root,
        print_quotes.expiry,
        print_quotes.strike,
        print_quotes.option_type,
        arg_max(
            {
                'best_bid': print_quotes.best_bid,
                'best_ask': print_quotes.best_ask,
                'quoted_at': print_quotes.stood_at
            },
            {
                'stood_at': print_quotes.stood_at,
                'printed_at': print_quotes.printed_at,
                'sequence': print_quotes.sequence
            }
        ) as quote
    from print_quotes
    cross join range(1, 6) as ahead(minutes)
    inner join tape.minutes as minutes
        on minutes.minute_at
            = date_trunc('minute', print_quotes.stood_at) + to_minutes(ahead.minutes)
    where print_quotes.stood_at > minutes.minute_at - interval 5 minutes
        and print_quotes.printed_at < minutes.minute_at
        and print_quotes.known_at < minutes.minute_at
        and minutes.minute_at
            <= coalesce((select quotes_from from surface.sources), 'infinity')
    group by all
),

-- read twice: cheaper than stored
states as not materialized (
    select minute_at, root, expiry, strike, option_type, best_bid, best_ask, quoted_at
    from tape.quotes
    where quoted_at < minute_at
        -- counted in whole numbers: quicker than with an interval
        and epoch_us(quoted_at) >= epoch_us(minute_at) - 60_000_000
        and known_at < minute_at
    union all
    select
        minute_at,
        root,
        expiry,
        strike,
        option_type,
        quote.best_bid,
        quote.best_ask,
        quote.quoted_at
    from print_states
),

calls as not materialized (
    select terms.term_number, strike, best_bid, best_ask, quoted_at
    from states
    inner join surface.discounts as terms using (minute_at, root, expiry)
    where option_type = 'C'
),

puts as not materialized (
    select terms.term_number, strike, best_bid, best_ask, quoted_at
    from states
    inner join surface.discounts as terms using (minute_at, root, expiry)
    where option_type = 'P'
)

select
    term_number,
    strike,
    calls.best_bid as call_bid,
    calls.best_ask as call_ask,
    calls.quoted_at as call_quoted_at,
    puts.best_bid as put_bid,
    puts.best_ask as put_ask,
    puts.quoted_at as put_quoted_at
from calls
full join puts using (term_number, strike)
