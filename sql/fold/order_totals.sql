-- fold.order_totals: what the prints of an order say together: times, letter, class, size.
-- grain: parent_id
-- reads: fold.kept_prints, fold.order_legs, fold.order_members, tape.session
with

summed as (
    select
        members.parent_id,
        max(prints.printed_at) as last_printed_at,
        max(prints.known_at) as known_at,
        bool_and(prints.is_side_allowed) as is_side_allowed,
        min(coalesce(prints.condition, '')) <> max(coalesce(prints.condition, '')) as is_mixed,
        count(*)::integer as print_count,
        sum(prints.size)::bigint as contracts,
        sum(prints.cash_cents)::bigint as cash_cents
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
    group by members.parent_id
),

-- the main letter of a mixed order is that of the most contracts
letters as (
    select
        members.parent_id,
        prints.condition,
        any_value(prints.print_class) as print_class,
        sum(prints.size) as contracts
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
    inner join summed using (parent_id)
    where summed.is_mixed
    group by members.parent_id, prints.condition
),

mains as (
    select parent_id, condition, print_class
    from letters
    qualify row_number() over (partition by parent_id order by contracts desc, condition) = 1
),

firsts as (
    select members.parent_id, members.fold_rule, prints.*
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
    where members.print_number = members.parent_id
)

select
    summed.parent_id,
    strftime(
        firsts.printed_at - (session.opens_at - (session.session_date + time '09:30')),
        '%Y%m%d-%H%M%S%f'
    ) || '-' || firsts.sequence as order_id,
    firsts.sequence as first_sequence,
    firsts.printed_at,
    summed.last_printed_at,
    summed.known_at,
    strftime(
        firsts.printed_at - (session.opens_at - (session.session_date + time '09:30')), '%H:%M'
    ) as minute_et,
    case when summed.is_mixed then mains.condition else firsts.condition end as condition,
    case when summed.is_mixed then mains.print_class else firsts.print_class end as print_class,
    summed.is_side_allowed,
    firsts.is_multi_leg,
    firsts.fold_rule,
    summed.print_count,
    legs.leg_count,
    legs.unit,
    summed.contracts,
    summed.cash_cents
from summed
inner join firsts using (parent_id)
-- all legs of an order have its unit
inner join fold.order_legs as legs on legs.parent_id = summed.parent_id and legs.leg_number = 1
left join mains on mains.parent_id = summed.parent_id
cross join tape.session as session
