-- import.treasury_rates: the US Treasury's daily par yield curve, percent, bond-equivalent.
-- A yield of up to half a year is simple interest, a longer one is compounded twice a year; up to
-- one year the par yield is taken as the zero rate, beyond it as its approximation.
-- grain: line_number, tenor_days
-- reads: import.rows
with

curves as (
    select
        line_number,
        row_reason,
        coalesce(try_cast(date as date), try_strptime(date, '%m/%d/%Y')::date) as session_date,
        unnest([
            {'days': 30, 'percent': "1_mo"}, {'days': 45, 'percent': "1_5_mo"},
            {'days': 61, 'percent': "2_mo"}, {'days': 91, 'percent': "3_mo"},
            {'days': 122, 'percent': "4_mo"}, {'days': 182, 'percent': "6_mo"},
            {'days': 365, 'percent': "1_yr"}, {'days': 730, 'percent': "2_yr"},
            {'days': 1095, 'percent': "3_yr"}, {'days': 1825, 'percent': "5_yr"},
            {'days': 2555, 'percent': "7_yr"}, {'days': 3650, 'percent': "10_yr"},
            {'days': 7300, 'percent': "20_yr"}, {'days': 10950, 'percent': "30_yr"}
        ]) as tenor
    from import.rows
),

points as (
    select
        *,
        tenor.days as tenor_days,
        tenor.days / 365 as years,
        try_cast(tenor.percent as double) / 100 as yield
    from curves
    -- a tenor that is not quoted on a day is left out; a broken cell is judged
    where row_reason is not null or coalesce(tenor.percent, 'N/A') <> 'N/A'
)

select
    line_number,
    row_reason,
    null::varchar as skip_reason,
    session_date,
    null::timestamp as instant_at,
    null::timestamp as wall_at,
    tenor_days::double as tenor_days,
    case
        when yield <= -1 then null
        when tenor_days <= 182 then ln(1 + yield * years) / years
        else 2 * ln(1 + yield / 2)
    end as rate,
    null::timestamp as known_at
from points
