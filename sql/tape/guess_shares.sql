-- tape.guess_shares: how much of open interest dealers may be long or short where nobody knows their
-- side, one standard deviation as a share of it: what all calls, and all puts, have in common, and
-- what each contract has for itself.
-- grain: kind
-- reads: the files of data/reference
-- param: file
select
    kind,
    share::double as share,
    why
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
