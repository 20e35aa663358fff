-- fold.order_legs: every order by contract, in canonical order, with what its own quotes say.
-- grain: parent_id, contract_number
-- reads: fold.fill_shapes, fold.included_prints, fold.order_members, fold.parents
with

summed as (
    select
        members.parent_id,
        prints.contract_number,
        sum(prints.size)::bigint as contracts,
        sum(prints.cash_cents)::bigint as cash_cents,
        count(*)::integer as print_count,
        sign(sum(prints.size * prints.quoted_side))::integer as quoted_side
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
    where members.fold_rule <> 'single'
    group by members.parent_id, prints.contract_number
    union all
    -- most orders are one print: there is nothing to add up
    select
        members.parent_id,
        prints.contract_number,
        prints.size::bigint,
        prints.cash_cents,
        1,
        sign(prints.size * prints.quoted_side)::integer
    from fold.order_members as members
    inner join fold.included_prints as prints using (print_number)
    where members.fold_rule = 'single'
),

-- only packages need a common unit: the ratio of the first fill gives it
packages as (
    select parents.parent_id, shapes.contract_numbers, shapes.ratios
    from fold.parents as parents
    inner join fold.fill_shapes as shapes using (fill_id)
    where parents.parent_id = parents.fill_id
),

ratios as (
    select
        parent_id,
        unnest(contract_numbers) as contract_number,
        unnest(ratios) as ratio,
        unnest(range(1, len(ratios) + 1)) as leg_number,
        len(ratios)::integer as leg_count
    from packages
)

select
    summed.parent_id,
    summed.contract_number,
    coalesce(ratios.leg_number, 1)::integer as leg_number,
    coalesce(ratios.leg_count, 1) as leg_count,
    summed.print_count,
    summed.contracts,
    summed.contracts // coalesce(ratios.ratio, 1) as unit,
    coalesce(ratios.ratio, 1) as ratio,
    summed.cash_cents,
    summed.quoted_side
from summed
left join ratios using (parent_id, contract_number)
