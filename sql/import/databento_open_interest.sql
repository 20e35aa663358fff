-- import.databento_open_interest: the open interest in Databento OPRA `statistics` as CSV with mapped
-- symbols; other statistics are skipped. OPRA reports it for each exchange, so a contract has many
-- rows a morning: the last one received before the open counts, without any the first one after
-- it. Its number is known from when it was received first. Times are UTC: ISO 8601, or digits since 1970.
-- grain: line_number
-- reads: import.rows
with

form as (select quantile_disc(epoch_power(ts_recv), 0.5) as power from import.rows),

timed as (
    select
        rows.*,
        form.power,
        coalesce(stated_instant(ts_recv, form.power), iso_wall(ts_recv)) as instant_at,
        case
            when coalesce(whole_number(stat_type) <> 9, true) then 'other statistic'
            when whole_number(update_action) = 2 then 'deleted'
            -- the largest numbers of 64 and of 32 bits: undefined
            when quantity in ('9223372036854775807', '2147483647') then 'no open interest'
        end as skip_reason,
        -- from 20:15 ET on the next day's
        instant_at::date as received_on,
        instant_at::time < time '13:30' as is_early
    from import.rows as rows
    cross join form
),

ranked as (
    select
        line_number,
        row_number() over (
            partition by symbol, received_on
            order by is_early desc, epoch_us(instant_at) * if(is_early, -1, 1), line_number
        ) as place,
        min(instant_at) over (partition by symbol, received_on, quantity) as known_at
    from timed
    where skip_reason is null and row_reason is null
)

select
    timed.line_number,
    coalesce(
        row_reason,
        case when skip_reason is null then instant_fault(
            'ts_recv', ts_recv, instant_at, power, '2026-10-14T10:30:08.943644160Z'
        ) end
    ) as row_reason,
    coalesce(skip_reason, case when ranked.place > 1 then 'repeated' end) as skip_reason,
    null::date as session_date,
    instant_at,
    null::timestamp as wall_at,
    nullif(osi_parts(symbol).root, '') as root,
    osi_expiry(osi_parts(symbol).expiry) as expiry,
    try_cast(osi_parts(symbol).strike as double) / 1000 as strike,
    nullif(osi_parts(symbol).option_type, '') as option_type,
    try_cast(quantity as double) as open_interest,
    ranked.known_at
from timed
left join ranked on ranked.line_number = timed.line_number
