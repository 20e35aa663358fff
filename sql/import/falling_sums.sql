-- import.falling_sums: contracts whose sums of a day, by the time of ten-minute rows, fall somewhere,
-- with the first fall of all.
-- grain: one row
-- reads: import.judged
with

sums as (
    select
        root,
        expiry,
        strike,
        option_type,
        session_date,
        snapshot_at,
        traded,
        lag(traded) over same_day as traded_before,
        lag(snapshot_at) over same_day as snapshot_before,
        dealer_bought < lag(dealer_bought) over same_day
        or dealer_sold < lag(dealer_sold) over same_day
        or traded < lag(traded) over same_day as is_falling
    from import.judged
    where snapshot_at is not null
        and reason is null
        and coalesce(skip_reason in ('earlier sums', 'before the close'), true)
    window same_day as (
        partition by session_date, root, expiry, strike, option_type
        order by snapshot_at
    )
),

contracts as (
    select
        session_date,
        root,
        expiry,
        strike,
        option_type,
        bool_or(is_falling) as is_falling
    from sums
    where snapshot_before is not null
    group by all
),

first_fall as (
    select *
    from sums
    where is_falling
    order by snapshot_at, root, expiry, strike, option_type
    limit 1
)

select
    (select count(*) from contracts) as contract_count,
    (select count(*) from contracts where is_falling) as falling_count,
    format('{} {} {} {}',
        first_fall.root, first_fall.expiry, strike_text(first_fall.strike), first_fall.option_type
    ) as contract,
    epoch_ms(first_fall.snapshot_at) as snapshot_ms,
    epoch_ms(first_fall.snapshot_before) as before_ms,
    first_fall.traded::bigint as traded,
    first_fall.traded_before::bigint as traded_before
from (select 1) as one
left join first_fall on true
