-- views.chain_gamma_flip: the flip of one stored option chain by the convention of the charts that
-- are published from such chains, to compare with them; never by ours. Rates and dividends are
-- zero, time is weekdays to expiry over the given days a year (one day on the last), every contract
-- has the file's volatility, dealers are long calls and short puts, gamma is in $bn per 1 % move.
-- It is evaluated at 60 levels from 0.8 to 1.2 of the spot; the flip is the first straight-line
-- crossing of zero. The net gamma uses the file's own rounded gamma column at the spot. Reads a
-- table `chain` (expiry, strike, option_type, implied_vol, gamma, open_interest).
-- grain: one row
-- reads: chain
-- param: quoted_on, spot, year_days
with

expiries as (
    select
        expiry,
        -- of an expiry in the past only the weekend before the quote can be left
        greatest(1, len(list_filter(
            range($quoted_on::date::timestamp, expiry::timestamp, interval 1 day),
            lambda day : isodow(day) < 6
        ))) / $year_days::double as years
    from (select distinct expiry from chain)
),

dealer_positions as (
    select
        chain.strike,
        chain.implied_vol,
        chain.gamma,
        expiries.years,
        chain.open_interest
        * case chain.option_type when 'C' then 1 when 'P' then -1 end as quantity
    from chain
    inner join expiries using (expiry)
),

levels as (
    select
        number,
        $spot::double * (0.8::double + 0.4::double * number / 59) as level
    from (select unnest(range(60)) as number)
),

profile as (
    select
        levels.number,
        levels.level,
        exact_sum(
            dealer_positions.quantity
            * black76_gamma(
                level,
                level,
                dealer_positions.strike,
                1::double,
                dealer_positions.implied_vol,
                dealer_positions.years
            )
            * level * level / 1e9::double
        ) as gamma_busd
    from dealer_positions
    cross join levels
    group by levels.number, levels.level
),

crossings as (
    select
        level + (lead(level) over by_level - level) * gamma_busd
            / (gamma_busd - lead(gamma_busd) over by_level) as root
    from profile
    window by_level as (order by number)
    qualify sign(gamma_busd) <> sign(lead(gamma_busd) over by_level)
)

select
    (
        select exact_sum(quantity * gamma * $spot::double * $spot::double / 1e9::double)
        from dealer_positions
    )
        as net_gamma_busd_per_percent,
    list(root order by root) as roots,
    min(root) as flip
from crossings
