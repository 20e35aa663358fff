-- fold.range_prints: the prints of the affected ranges in their current state, as the round after
-- the last.
-- grain: sequence
-- reads: fold.affected_ranges, fold.contracts, fold.included_prints, fold.late_rounds
with

ranges as (
    select
        ranges.range_number,
        any_value(ranges.partition_number) as partition_number,
        any_value(ranges.from_us) as from_us,
        any_value(ranges.to_us) as to_us,
        max(rounds.round) + 1 as round
    from fold.affected_ranges as ranges
    inner join fold.late_rounds as rounds using (range_number)
    group by ranges.range_number
),

-- minutes make the search for prints in a range an equality join
range_minutes as (
    select *, unnest(range(from_us // 60000000, to_us // 60000000 + 1)) as minute_number
    from ranges
)

select
    prints.sequence,
    prints.sequence as own_sequence,
    ranges.range_number,
    ranges.round
from fold.included_prints as prints
inner join fold.contracts as contracts using (contract_number)
inner join range_minutes as ranges
    on ranges.minute_number = prints.printed_us // 60000000
    and prints.printed_us between ranges.from_us and ranges.to_us
    and ranges.partition_number = order_partition(
        prints.print_class,
        prints.is_multi_leg,
        prints.condition,
        contracts.root,
        contracts.expiry,
        contracts.strike,
        contracts.option_type
    )
where is_on_tape(prints.sequence)
