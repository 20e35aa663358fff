-- fold.package_prints: the prints of the packages, each in one: a package has at least two
-- contracts and is named by its first print. A print that fails this, which no pass should produce,
-- is not lost: fold.order_members lists it as a leftover.
-- grain: print_number
-- reads: fold.fill_prints, fold.leg_prints
with

-- of two packages the earlier
earliest_fills as (
    select
        print_number,
        min(fill_id) as fill_id,
        arg_min(fold_rule, (fill_id, fold_rule)) as fold_rule
    from fold.fill_prints
    group by print_number
),

packages as (
    select earliest_fills.fill_id, min(earliest_fills.print_number) as first_print
    from earliest_fills
    inner join fold.leg_prints as legs using (print_number)
    group by earliest_fills.fill_id
    having min(legs.contract_number) < max(legs.contract_number)
)

select
    earliest_fills.print_number,
    packages.first_print as fill_id,
    earliest_fills.fold_rule
from earliest_fills
inner join packages using (fill_id)
