-- fold.side_calibration: how often orders of one evidence went the way they lean.
-- grain: evidence, place
-- reads: the files of data/reference
-- param: file
select
    evidence,
    place::integer as place,
    probability::double as probability,
    orders::bigint as orders
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
