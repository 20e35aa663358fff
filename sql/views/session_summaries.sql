-- views.session_summaries: one row a session for lists: the number of orders in its ledger, the
-- index at its first minute and at the PM close, and the flip at that minute.
-- grain: session_date
-- reads: ledger.levels, ledger.stats
with

-- the PM close is fourteen minutes before the last minute of a session, which begins at 16:14
closes as (
    select
        session_date,
        strftime(strptime(max(minute_et), '%H:%M') - interval 14 minutes, '%H:%M') as closing_minute
    from ledger.levels
    group by session_date
),

ends as (
    select
        levels.session_date,
        min_by(levels.spot, levels.minute_et) as open,
        max_by(levels.spot, levels.minute_et) as close,
        last(levels.flip order by levels.minute_et) as flip_close
    from ledger.levels as levels
    inner join closes using (session_date)
    where levels.book_basis = 'measured'
        and levels.spot is not null
        and levels.minute_et <= closes.closing_minute
    group by levels.session_date
)

select
    stats.session_date::varchar as session_date,
    stats.order_count as orders,
    ends.open,
    ends.close,
    ends.flip_close
from ledger.stats as stats
left join ends using (session_date)
order by stats.session_date
