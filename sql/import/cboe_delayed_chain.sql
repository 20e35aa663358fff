-- import.cboe_delayed_chain: Cboe's delayed quotes, a contract a line, with the file's own figures in
-- the columns of import.cboe_chain.
-- grain: line_number
-- reads: import.rows
select
    line_number,
    row_reason,
    nullif(osi_parts(option).root, '') as root,
    osi_expiry(osi_parts(option).expiry) as expiry,
    try_cast(osi_parts(option).strike as double) / 1000 as strike,
    nullif(osi_parts(option).option_type, '') as option_type,
    try_cast(bid as double) as bid,
    try_cast(bid_size as double) as bid_size,
    try_cast(ask as double) as ask,
    try_cast(ask_size as double) as ask_size,
    try_cast(volume as double) as volume,
    try_cast(iv as double) as implied_vol,
    try_cast(delta as double) as delta,
    try_cast(gamma as double) as gamma,
    try_cast(open_interest as double) as open_interest,
    open_interest is null as is_without_interest
from import.rows
