-- fold.package_prints: the prints of the packages, each in one: a package has two contracts at
-- least, and is named by its first print. What fails that, which no pass should make, is not lost:
-- fold.order_members has it as leftovers.
-- grain: print_number
-- reads: fold.fill_prints, fold.leg_prints
with

-- of two packages the earlier
claimed as (
    select
        print_number,
        min(fill_id) as fill_id,
        arg_min(fold_rule, (fill_id, fold_rule)) as fold_rule
    from fold.fill_prints
    group by print_number
),

packages as (
    select claimed.fill_id, min(claimed.print_number) as first_print
    from claimed
    inner join fold.leg_prints as legs using (print_number)
    group by claimed.fill_id
    having min(legs.contract_number) < max(legs.contract_number)
)

select
    claimed.print_number,
    packages.first_print as fill_id,
    claimed.fold_rule
from claimed
inner join packages using (fill_id)
