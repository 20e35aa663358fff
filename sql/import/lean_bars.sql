-- import.lean_bars: the lines of a LEAN zip with the parts of the name of their member, such as
-- 20210104_spxw_minute_quote_european_call_37000000_20210104.csv or 20210104_spx_minute_trade.csv.
-- Times are milliseconds of the exchange's day: New York for options, Chicago for the index. Prices
-- of options and their strikes count 1/10,000; those of the index do not.
-- grain: line_number
-- reads: import.rows
with

named as (
    select *, string_split(replace(member, '.csv', ''), '_') as name
    from import.rows
),

timed as (
    select
        *,
        name[4] as kind,
        len(name) > 4 as is_option,
        case kind when 'quote' then 12 when 'openinterest' then 3 else 7 end as wanted,
        try_strptime(name[1], '%Y%m%d') as day_at,
        try_cast(milliseconds as bigint) as day_milliseconds
    from named
)

select
    line_number,
    coalesce(row_reason, case
        when cell_count <> wanted
            then format('has {} columns; {} are needed', cell_count - 1, wanted - 1)
        when coalesce(not (day_milliseconds between 0 and 86399999), true)
            then 'its time is not a number of milliseconds of a day'
    end) as row_reason,
    kind,
    is_option,
    day_at::date as session_date,
    day_at + day_milliseconds * interval 1 millisecond
        + case when is_option then interval 0 hours else interval 1 hour end as bar_wall_at,
    upper(name[2]) as root,
    try_strptime(name[8], '%Y%m%d')::date as expiry,
    try_cast(name[7] as double) / 10000 as strike,
    case name[6] when 'call' then 'C' when 'put' then 'P' end as option_type,
    try_cast(cell_1 as double) as open_interest,
    try_cast(cell_4 as double) as index_close,
    try_cast(cell_4 as double) / 10000 as bid_close,
    try_cast(cell_5 as double) as bid_size,
    try_cast(cell_9 as double) / 10000 as ask_close,
    try_cast(cell_10 as double) as ask_size
from timed
