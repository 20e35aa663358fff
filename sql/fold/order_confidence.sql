-- fold.order_confidence: the confidence of the fold in a package, 0 to 1. It falls with every
-- doubling of the time its fills took above 50 us, for fills cut out of a crowd or joined, for
-- floor packages, for shapes without a name, and most for a net that no exchange would have
-- printed.
-- grain: parent_id
-- reads: fold.included_prints, fold.order_patterns, fold.package_prints, fold.parents
with

fills as (
    select
        members.fill_id,
        arg_min(members.fold_rule, members.print_number) as fold_rule,
        arg_min(prints.print_class, members.print_number) as print_class,
        sum(prints.size)::bigint as contracts,
        max(prints.printed_us) - min(prints.printed_us) as span_us
    from fold.package_prints as members
    inner join fold.included_prints as prints using (print_number)
    group by members.fill_id
),

weighed as (
    select
        parents.parent_id,
        fills.contracts,
        0.99
            * power(0.97, greatest(0, log2(greatest(fills.span_us, 1) / case
                when fills.print_class in ('floor', 'legacy') then 10000 else 50
            end)))
            * case when fills.fold_rule like '%island%' then 1 else 0.9 end
            * case when fills.print_class = 'floor' then 0.8 else 1 end as confidence
    from fills
    inner join fold.parents as parents using (fill_id)
)

select
    weighed.parent_id,
    round(
        exact_sum(weighed.contracts * weighed.confidence) / sum(weighed.contracts)
        * case
            when any_value(patterns.parent_id) is null then 0.85
            when any_value(patterns.is_off_grid) then 0.6
            else 1
        end,
        6
    ) as confidence
from weighed
left join fold.order_patterns as patterns using (parent_id)
group by weighed.parent_id
