-- fold.order_legs: every order by contract, in canonical order, with what its own quotes say.
-- grain: parent_id, contract_number
-- reads: fold.kept_prints, fold.order_members
with

summed as (
    select
        members.parent_id,
        prints.contract_number,
        sum(prints.size)::bigint as contracts,
        sum(prints.cash_cents)::bigint as cash_cents,
        sign(sum(prints.size * prints.quoted_side))::integer as quoted_side
    from fold.order_members as members
    inner join fold.kept_prints as prints using (print_number)
    group by members.parent_id, prints.contract_number
),

units as (
    select parent_id, list_reduce(list(contracts), lambda a, b: gcd(a, b)) as unit
    from summed
    group by parent_id
)

select
    summed.parent_id,
    summed.contract_number,
    row_number() over (
        partition by summed.parent_id order by summed.contract_number
    )::integer as leg_number,
    summed.contracts,
    units.unit,
    (summed.contracts // units.unit)::integer as ratio,
    summed.cash_cents,
    summed.quoted_side
from summed
inner join units using (parent_id)
