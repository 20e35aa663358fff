-- fold.side_calibration: share of the orders of one evidence that went the way they lean.
-- grain: evidence, price_position
-- reads: the files of data/reference
-- param: file
select
    evidence,
    place::integer as price_position,
    probability::double as probability,
    orders::bigint as orders
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
