-- ledger.tape_quotes: agreement of prints and minute quotes: the NBBO of a print lies between the
-- minute quotes before and after it, or meets one of them. A tenth of the prints, of all minutes,
-- stands for all.
-- grain: one row
-- reads: fold.print_fates, tape.prints, tape.quotes
with

judged as (
    select
        prints.sequence,
        prints.root,
        prints.expiry,
        prints.strike,
        prints.option_type,
        date_trunc('minute', prints.printed_at) as minute_at,
        prints.best_bid,
        prints.best_ask
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    where fates.fate = 'kept'
        and hash(prints.sequence) % 10 = 0
        and prints.best_bid is not null
        and prints.best_ask is not null
),

-- one search for both minutes: the quotes are read once
sample_minutes as (
    select
        sequence,
        root,
        expiry,
        strike,
        option_type,
        minute_at + to_minutes(unnest([0, 1])) as minute_at
    from judged
),

quote_ranges as (
    select
        sample_minutes.sequence,
        min(quotes.best_bid) as lowest_bid,
        max(quotes.best_ask) as highest_ask,
        count(distinct sample_minutes.minute_at) as minute_count
    from sample_minutes
    inner join tape.quotes as quotes using (root, expiry, strike, option_type, minute_at)
    where quotes.best_bid is not null and quotes.best_ask is not null
    group by sample_minutes.sequence
)

select
    count(*) filter (
        where judged.best_ask < quote_ranges.lowest_bid
            or judged.best_bid > quote_ranges.highest_ask
    ) / nullif(count(*), 0) as quotes_apart_share
from judged
inner join quote_ranges using (sequence)
where quote_ranges.minute_count = 2
