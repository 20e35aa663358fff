-- live.earlier_range_prints: the prints of each range in each of its rounds, taken from those of
-- the wide ranges. A wide range has a round for every state at which one of its ranges changed.
-- grain: sequence
-- reads: fold.affected_ranges, fold.earlier_prints, fold.exact_ranges, fold.exact_rounds, fold.late_rounds
select
    prints.sequence,
    prints.own_sequence,
    ranges.range_number,
    rounds.round
from fold.earlier_prints as prints
inner join fold.affected_ranges as wide_ranges on wide_ranges.range_number = prints.range_number
inner join fold.late_rounds as wide_rounds
    on wide_rounds.range_number = prints.range_number and wide_rounds.round = prints.round
inner join fold.exact_ranges as ranges
    on ranges.partition_number = wide_ranges.partition_number
    and epoch_us(prints.printed_at) between ranges.from_us and ranges.to_us
inner join fold.exact_rounds as rounds
    on rounds.range_number = ranges.range_number
    and rounds.until_state_at = wide_rounds.until_state_at
