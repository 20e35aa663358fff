-- import.cboe_chain: a Cboe chain snapshot, two contracts a line, with the file's own figures.
-- implied_vol, delta and gamma are Cboe's and rounded to four decimals; they are never mixed with
-- ours and no tape dataset stores them.
-- grain: line_number, option_type
-- reads: import.rows
-- param: header_count
with

sides as (
    select
        line_number,
        row_reason,
        cell_count,
        unnest([
            {
                'symbol': calls, 'bid': bid, 'ask': ask, 'volume': volume, 'iv': iv,
                'delta': delta, 'gamma': gamma, 'open_interest': open_interest
            },
            {
                'symbol': puts, 'bid': bid_2, 'ask': ask_2, 'volume': volume_2, 'iv': iv_2,
                'delta': delta_2, 'gamma': gamma_2, 'open_interest': open_interest_2
            }
        ]) as side
    from import.rows
)

select
    line_number,
    coalesce(row_reason, case
        when cell_count < $header_count::bigint
            then format('has {} columns, the header has {}', cell_count, $header_count::bigint)
    end) as row_reason,
    nullif(osi_parts(side.symbol).root, '') as root,
    osi_expiry(osi_parts(side.symbol).expiry) as expiry,
    try_cast(osi_parts(side.symbol).strike as double) / 1000 as strike,
    nullif(osi_parts(side.symbol).option_type, '') as option_type,
    try_cast(side.bid as double) as bid,
    null::double as bid_size,
    try_cast(side.ask as double) as ask,
    null::double as ask_size,
    try_cast(side.volume as double) as volume,
    try_cast(side.iv as double) as implied_vol,
    try_cast(side.delta as double) as delta,
    try_cast(side.gamma as double) as gamma,
    try_cast(side.open_interest as double) as open_interest,
    side.open_interest is null as is_without_interest
from sides
