-- import.judged_open_close: what dealers bought and sold of each contract on a day, with why it may
-- not be used. Of the sums of one day the last one counts, and none where its file ends before the
-- close. A row of a known contract whose volumes are not valid has a fault: what dealers did then
-- is unknown.
-- grain: that of import.candidates
-- reads: import.candidates, import.days
-- param: closed_weekdays, day, dealers, exchange, friday_expiries_from, roots
with

timed_rows as (
    select
        row.* replace (
            settled_expiry(row.expiry, $closed_weekdays::date[], $friday_expiries_from::date)
                as expiry
        ),
        coalesce(row.instant_at, row.wall_at - days.wall_offset) as snapshot_at,
        coalesce(row.session_date, session_at(snapshot_at, days)) as target_session_date
    from import.candidates as row
    left join import.days as days
        on days.day = coalesce(row.wall_at, row.instant_at - interval 5 hours)::date
),

dated_rows as (
    select
        timed_rows.*,
        session.session_date is null as is_without_session,
        max(snapshot_at) over (partition by target_session_date) < session.closes_at as is_partial,
        snapshot_at < max(snapshot_at) over (
            partition by target_session_date, root, expiry, strike, option_type
        ) as is_earlier,
        count(*) over (
            partition by target_session_date, snapshot_at, root, expiry, strike, option_type
        ) as same_count,
        count(distinct (bought, sold, mm_bought, mm_sold, opened, closed)) over (
            partition by target_session_date, snapshot_at, root, expiry, strike, option_type
        ) as content_count
    from timed_rows
    left join import.days as session on session.day = target_session_date
),

judged_rows as (
    select
        *,
        coalesce(
            row_reason,
            contract_fault(root, expiry, strike, option_type),
            case
                when target_session_date is null
                    then 'quote_datetime is in no trading session; give one such as '
                        || '2026-10-14 16:20:00'
                when is_without_session
                    then format('quote_date is {}, which is no trading session', target_session_date)
                when expiry < target_session_date then 'expiration is before the session'
            end
        ) as row_fault,
        case
            when cell_reason is not null then 'volumes'
            when same_count > 1 and content_count > 1 then 'repeated'
            when bought <> sold then 'classes'
            when bought <> traded or trades > bought + sold then 'trades'
        end as volume_fault
    from dated_rows
)

select
    line_number,
    coalesce(
        contract_skip_reason(
            skip_reason, row_reason, root, target_session_date, $roots::varchar[], $day::date
        ),
        case
            when is_partial then 'before the close'
            when is_earlier then 'earlier sums'
        end
    ) as skip_reason,
    coalesce(row_fault, case volume_fault
        when 'volumes' then cell_reason
        when 'repeated'
            then format('has other volumes than another row of {} {} {} {}; give one row a contract',
                root, expiry, strike_text(strike), option_type)
        when 'classes'
            then format('all classes bought {:d} contracts and sold {:d}; every contract is bought '
                || 'and sold once, such as 120 and 120', bought::bigint, sold::bigint)
        when 'trades' then case
            when bought <> traded
                then format('all classes bought {:d} contracts of {:d} traded; the columns _vol must '
                    || 'hold contracts, not trades, such as {:d}',
                    bought::bigint, traded::bigint, traded::bigint)
            else format('the columns _vol sum to {:d} contracts in {:d} trades; the columns _vol must '
                || 'hold contracts, not trades, such as {:d}',
                (bought + sold)::bigint, trades::bigint, trades::bigint)
        end
    end) as reason,
    null::varchar as unknown_condition,
    target_session_date as session_date,
    $exchange::varchar as exchange,
    root,
    expiry,
    strike,
    option_type,
    list_aggregate($dealers::varchar[], 'string_agg', ',') as dealers,
    case when volume_fault is null then
        if(list_contains($dealers::varchar[], 'mm'), mm_bought, 0)
        + if(list_contains($dealers::varchar[], 'firm'), firm_bought, 0)
        + if(list_contains($dealers::varchar[], 'bd'), bd_bought, 0)
    end as dealer_bought,
    case when volume_fault is null then
        if(list_contains($dealers::varchar[], 'mm'), mm_sold, 0)
        + if(list_contains($dealers::varchar[], 'firm'), firm_sold, 0)
        + if(list_contains($dealers::varchar[], 'bd'), bd_sold, 0)
    end as dealer_sold,
    case when volume_fault is null then bought end as traded,
    case when volume_fault is null then opened end as opened,
    case when volume_fault is null then closed end as closed,
    case when volume_fault is null then mm_bought end as maker_bought,
    case when volume_fault is null then mm_sold end as maker_sold,
    open_interest,
    snapshot_at,
    case when row_fault is null then volume_fault end as fault,
    null::timestamp as known_at
from judged_rows
