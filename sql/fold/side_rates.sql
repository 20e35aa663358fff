-- fold.side_rates: how often an order at the quote goes the way its price leans, by its kind and its
-- size against the size shown, and on the logit scale one standard deviation of what nobody knows
-- of that.
-- grain: kind, size_class
-- reads: the files of data/reference
-- param: file
select
    kind,
    size_class,
    rate::double as rate,
    deviation::double as deviation,
    source
from read_csv($file, all_varchar = true, header = true, hive_partitioning = false)
