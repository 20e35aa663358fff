-- fold.prints_then: the prints of the zones as they were known in each round, with the cancels
-- known by then. All rounds are folded at once, beside the tape where that is folded, too: each has
-- exchanges of its own, where no print meets one of another round.
-- grain: sequence
-- reads: fold.cancel_matches, fold.news_rounds, fold.news_zones, fold.print_fates, tape.conditions, tape.prints
with

-- minutes make the search for prints in a zone a join of equals
zone_minutes as (
    select *, unnest(range(from_us // 60000000, to_us // 60000000 + 1)) as minute_number
    from fold.news_zones
),

found as (
    select
        prints.sequence, fates.letter, rounds.zone, rounds.round, rounds.until_state_at
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.conditions as conditions on conditions.letter = prints.condition
    inner join zone_minutes as zones
        on zones.minute_number = epoch_us(prints.printed_at) // 60000000
        and epoch_us(prints.printed_at) between zones.from_us and zones.to_us
        and zones.world = news_world(
            print_class_of(prints.condition, conditions.print_class),
            coalesce(conditions.is_multi_leg, false),
            fates.letter,
            prints.root,
            prints.expiry,
            prints.strike,
            prints.option_type
        )
    inner join fold.news_rounds as rounds on rounds.zone = zones.zone
    where is_on_tape(prints.sequence) and fates.fate in ('kept', 'cancelled')
        and state_after(prints.known_at) < rounds.until_state_at
),

cancels as (
    select
        matches.cancel_sequence as sequence,
        cancels.condition as letter,
        found.zone,
        found.round
    from found
    inner join fold.cancel_matches as matches on matches.sequence = found.sequence
    inner join tape.prints as cancels on cancels.sequence = matches.cancel_sequence
    where state_after(cancels.known_at) < found.until_state_at
),

members as (
    select sequence, letter, zone, round from found
    union
    select sequence, letter, zone, round from cancels
)

select
    prints.* replace (
        number_before(
            row_number() over (
                order by prints.printed_at, prints.sequence, members.zone, members.round
            )
        ) as sequence,
        concat_ws(' ', prints.exchange, 'zone', members.zone, 'round', members.round) as exchange,
        -- what its code says was judged beside all prints, not beside these few
        members.letter as condition
    ),
    prints.sequence as own_sequence,
    members.zone,
    members.round
from members
inner join tape.prints as prints using (sequence)
order by prints.printed_at, prints.sequence, members.zone, members.round
