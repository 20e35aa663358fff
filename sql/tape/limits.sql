-- tape.limits: from which value on a measure of the tape is doubtful, bad or refused.
-- grain: measure
-- reads: the files of data/reference
-- param: file
select
    row_number() over () as limit_number,
    measure,
    doubtful::double as doubtful,
    bad::double as bad,
    refused::double as refused,
    why
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
