-- fold.order_totals: what the prints of an order say together: times, letter, class, size.
-- grain: parent_id
-- reads: fold.kept_prints, fold.order_members, tape.session
with

members as (
    select members.*, prints.* exclude (print_number)
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
),

-- the main letter is that of the most contracts
letters as (
    select parent_id, condition, print_class, sum(size) as contracts
    from members
    group by parent_id, condition, print_class
),

mains as (
    select
        parent_id,
        arg_min(
            struct_pack(condition, print_class), (-contracts, coalesce(condition, ''), print_class)
        ) as main
    from letters
    group by parent_id
)

select
    members.parent_id,
    strftime(
        min(members.printed_at) - (session.opens_at - (session.session_date + time '09:30')),
        '%Y%m%d-%H%M%S%f'
    ) || '-' || min(members.sequence) filter (where members.print_number = members.parent_id)
        as order_id,
    min(members.sequence) filter (where members.print_number = members.parent_id)
        as first_sequence,
    min(members.printed_at) as printed_at,
    max(members.printed_at) as last_printed_at,
    max(members.known_at) as known_at,
    strftime(
        min(members.printed_at) - (session.opens_at - (session.session_date + time '09:30')),
        '%H:%M'
    ) as minute_et,
    any_value(mains.main.condition) as condition,
    any_value(mains.main.print_class) as print_class,
    bool_and(members.is_side_allowed) as is_side_allowed,
    bool_or(members.is_multi_leg) as is_multi_leg,
    min(members.fold_rule) filter (where members.print_number = members.parent_id) as fold_rule,
    count(*)::integer as print_count,
    count(distinct members.contract_number)::integer as leg_count,
    sum(members.size)::bigint as contracts,
    sum(members.cash_cents)::bigint as cash_cents
from members
inner join mains using (parent_id)
cross join tape.session as session
group by members.parent_id, session.opens_at, session.session_date
