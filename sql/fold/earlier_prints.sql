-- fold.earlier_prints: the prints of the affected ranges as they were known in each round, with the
-- cancels known by then. All rounds are folded at once, together with the tape where that is folded
-- as well: each round has exchange names of its own, so its prints never meet those of another.
-- grain: sequence
-- reads: fold.affected_ranges, fold.cancel_matches, fold.late_rounds, fold.print_fates, tape.conditions, tape.prints
with

-- minutes make the search for prints in a range an equality join
range_minutes as (
    select *, unnest(range(from_us // 60000000, to_us // 60000000 + 1)) as minute_number
    from fold.affected_ranges
),

found as (
    select
        prints.sequence, fates.letter, rounds.range_number, rounds.round, rounds.until_state_at
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.conditions as conditions on conditions.letter = prints.condition
    inner join range_minutes as ranges
        on ranges.minute_number = epoch_us(prints.printed_at) // 60000000
        and epoch_us(prints.printed_at) between ranges.from_us and ranges.to_us
        and ranges.partition_number = order_partition(
            print_class_of(prints.condition, conditions.print_class),
            coalesce(conditions.is_multi_leg, false),
            fates.letter,
            prints.root,
            prints.expiry,
            prints.strike,
            prints.option_type
        )
    inner join fold.late_rounds as rounds on rounds.range_number = ranges.range_number
    where is_on_tape(prints.sequence) and fates.fate in ('kept', 'cancelled')
        and state_after(prints.known_at) < rounds.until_state_at
),

cancels as (
    select
        matches.cancel_sequence as sequence,
        cancels.condition as letter,
        found.range_number,
        found.round
    from found
    inner join fold.cancel_matches as matches on matches.sequence = found.sequence
    inner join tape.prints as cancels on cancels.sequence = matches.cancel_sequence
    where state_after(cancels.known_at) < found.until_state_at
),

members as (
    select sequence, letter, range_number, round from found
    union
    select sequence, letter, range_number, round from cancels
)

select
    prints.* replace (
        number_before(
            row_number() over (
                order by prints.printed_at, prints.sequence, members.range_number, members.round
            )
        ) as sequence,
        concat_ws(' ', prints.exchange, 'range', members.range_number, 'round', members.round)
            as exchange,
        -- its code was judged among all prints, not among these few
        members.letter as condition
    ),
    prints.sequence as own_sequence,
    members.range_number,
    members.round
from members
inner join tape.prints as prints using (sequence)
order by prints.printed_at, prints.sequence, members.range_number, members.round
