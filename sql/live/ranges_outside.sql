-- live.ranges_outside: the ranges that do not lie in a wide one.
-- grain: range_number
-- reads: fold.affected_ranges, fold.exact_ranges
select ranges.range_number
from fold.exact_ranges as ranges
anti join fold.affected_ranges as wide_ranges
    on wide_ranges.partition_number = ranges.partition_number
    and wide_ranges.first_us <= ranges.first_us
    and wide_ranges.last_us >= ranges.last_us
    and wide_ranges.from_us <= ranges.from_us
    and wide_ranges.to_us >= ranges.to_us
