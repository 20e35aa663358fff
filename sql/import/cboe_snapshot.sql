-- import.cboe_snapshot: instant and index of a Cboe chain, from the lines above its header. The
-- index may have commas between thousands. The date has had many forms, such as 'June 11, 2022,
-- 8:47 PM EDT', '17 April 2023, 22:53 UTC-4' and 'June 8, 2023 at 7:56 PM EDT'; each includes its
-- own time zone.
-- grain: one row
-- reads: import.preamble
with

stated as (
    select
        max(nullif(regexp_extract(line, 'Date: *(.*?)"?,Bid', 1), '')) as text,
        max(nullif(regexp_extract(line, 'Last: *([^"]*?) *(?:"|, *[A-Za-z]|,*$)', 1), ''))
            as last_text
    from import.preamble
),

parts as (
    select
        last_text,
        -- judged whole: what begins like a number is none
        case when regexp_full_match(last_text, '-?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)([.][0-9]*)?')
            then try_cast(replace(last_text, ',', '') as double)
        end as last,
        text,
        regexp_extract(text, '([A-Z][a-z]+) ?', 1) as month,
        regexp_extract(text, '\b([0-9]{1,2})\b', 1) as day,
        regexp_extract(text, '\b(20[0-9]{2})\b', 1) as year,
        regexp_extract(text, '([0-9]{1,2}:[0-9]{2})', 1) as clock,
        regexp_extract(text, '[0-9]\s*([AP]M)', 1) as half,
        regexp_extract(text, '\b(E[SD]T|(?:UTC|GMT)[−–-][0-9]{1,2})(?:$|[^0-9A-Za-z:])', 1) as zone
    from stated
)

select
    text as stated_text,
    last_text,
    last,
    epoch_ms(case when half = ''
        then try_strptime(day || ' ' || month || ' ' || year || ' ' || clock, '%d %B %Y %H:%M')
        else try_strptime(
            day || ' ' || month || ' ' || year || ' ' || clock || ' ' || half, '%d %B %Y %I:%M %p'
        )
    end + case zone
        when 'EDT' then interval 4 hours
        when 'EST' then interval 5 hours
        else try_cast(regexp_extract(zone, '([0-9]+)', 1) as integer) * interval 1 hour
    end) as taken_ms
from parts
