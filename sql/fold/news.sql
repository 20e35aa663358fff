-- fold.news: what became known of a print only after the first state that follows it: that it
-- printed at all (a late print), or that it no longer counts (a cancel).
-- grain: sequence, news
-- reads: fold.cancel_matches, fold.print_fates, tape.conditions, tape.prints
with

prints as (
    select
        prints.sequence,
        print_class_of(
            prints.condition,
            conditions.is_floor,
            conditions.is_cross,
            conditions.is_auction,
            conditions.is_late,
            conditions.family
        ) as print_class,
        is_slow_class(print_class) as is_slow,
        news_world(
            print_class,
            coalesce(conditions.is_multi_leg, false),
            prints.condition,
            prints.root,
            prints.expiry,
            prints.strike,
            prints.option_type
        ) as world,
        prints.printed_at,
        prints.known_at
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.conditions as conditions on conditions.letter = prints.condition
    where fates.fate in ('kept', 'cancelled')
)

select sequence, 'late_print' as news, world, is_slow, printed_at, known_at
from prints
where state_after(known_at) > state_after(printed_at)
union all
select
    prints.sequence,
    'cancel',
    prints.world,
    prints.is_slow,
    prints.printed_at,
    cancels.known_at
from prints
inner join fold.cancel_matches as matches on matches.sequence = prints.sequence
inner join tape.prints as cancels on cancels.sequence = matches.cancel_sequence
where state_after(cancels.known_at) > state_after(prints.printed_at)
