-- fold.order_totals: totals of the prints of an order: times, letter, class, size.
-- grain: parent_id
-- reads: fold.included_prints, fold.order_legs, fold.order_members, tape.session
with

letters as (
    select
        members.parent_id,
        prints.condition,
        any_value(prints.print_class) as print_class,
        any_value(members.fold_rule) filter (members.print_number = members.parent_id)
            as fold_rule,
        max(prints.printed_at) as last_printed_at,
        max(prints.known_at) as known_at,
        bool_and(prints.is_side_allowed) as is_side_allowed,
        count(*) as print_count,
        sum(prints.size)::bigint as contracts,
        sum(prints.cash_cents)::bigint as cash_cents
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
    where members.fold_rule <> 'single'
    group by members.parent_id, prints.condition
),

summed as (
    select
        parent_id,
        any_value(fold_rule) as fold_rule,
        max(last_printed_at) as last_printed_at,
        max(known_at) as known_at,
        bool_and(is_side_allowed) as is_side_allowed,
        min(coalesce(condition, '')) <> max(coalesce(condition, '')) as is_mixed,
        -- the main letter of a mixed order is that of the most contracts
        arg_min(
            {'condition': condition, 'print_class': print_class},
            (-contracts, condition is null, condition)
        ) as main,
        sum(print_count)::integer as print_count,
        sum(contracts)::bigint as contracts,
        sum(cash_cents)::bigint as cash_cents
    from letters
    group by parent_id
),

described as (
    select
        summed.parent_id,
        firsts.sequence as first_sequence,
        firsts.printed_at,
        summed.last_printed_at,
        summed.known_at,
        case when summed.is_mixed then summed.main.condition else firsts.condition end as condition,
        case when summed.is_mixed then summed.main.print_class else firsts.print_class end
            as print_class,
        summed.is_side_allowed,
        firsts.is_multi_leg,
        summed.fold_rule,
        summed.print_count,
        legs.leg_count,
        legs.unit,
        summed.contracts,
        summed.cash_cents
    from summed
    inner join fold.included_prints as firsts on firsts.print_number = summed.parent_id
    -- all legs of an order have its unit
    inner join fold.order_legs as legs
        on legs.parent_id = summed.parent_id and legs.leg_number = 1
    union all
    -- most orders are one print: there is nothing to add up
    select
        members.parent_id,
        prints.sequence,
        prints.printed_at,
        prints.printed_at,
        prints.known_at,
        prints.condition,
        prints.print_class,
        prints.is_side_allowed,
        prints.is_multi_leg,
        members.fold_rule,
        1,
        1,
        prints.size::bigint,
        prints.size::bigint,
        prints.cash_cents
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
    where members.fold_rule = 'single'
)

select
    described.parent_id,
    strftime(
        described.printed_at - (session.opens_at - (session.session_date + time '09:30')),
        '%Y%m%d-%H%M%S%f'
    ) || '-' || described.first_sequence as order_id,
    described.first_sequence,
    described.printed_at,
    described.last_printed_at,
    described.known_at,
    strftime(
        described.printed_at - (session.opens_at - (session.session_date + time '09:30')), '%H:%M'
    ) as minute_et,
    described.condition,
    described.print_class,
    described.is_side_allowed,
    described.is_multi_leg,
    described.fold_rule,
    described.print_count,
    described.leg_count,
    described.unit,
    described.contracts,
    described.cash_cents
from described
cross join tape.session as session
