-- fold.fill_shapes: the shape of every execution that has more than one contract.
-- grain: fill_id
-- reads: fold.fill_legs
with

package_legs as (
    select fill_id as package_id, *
    from fold.fill_legs
    where fill_id in (
        select fill_id from fold.fill_legs group by fill_id having count(*) > 1
    )
)

select
    package_id as fill_id,
    unit,
    shape,
    contract_numbers,
    types,
    expiries,
    strikes,
    ratios,
    width,
    cashes
from package_shapes('package_legs')
