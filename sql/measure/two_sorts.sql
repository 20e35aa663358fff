-- measure.two_sorts: the yardstick of the fold: the prints of the tape's files, with the columns
-- the fold reads, sorted by two windows: along the session and within their contract.
-- grain: sequence
-- reads: the files of tape.prints
-- param: file
select
    sequence,
    printed_at,
    root,
    expiry,
    strike,
    option_type,
    size,
    price,
    condition,
    best_bid,
    best_ask,
    quoted_at,
    row_number() over (order by printed_at, sequence) as position,
    row_number() over (
        partition by root, expiry, strike, option_type order by printed_at, sequence
    ) as contract_place
from read_parquet($file, hive_partitioning = false)
