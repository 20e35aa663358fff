-- fold.parents: which order every execution of a package belongs to. Fills of the same contracts
-- and ratio, not too long apart and at one net price, are one order.
-- The net moved only if it moved under every possible name: which one is right is not known yet.
-- grain: fill_id
-- reads: fold.fills
-- param: net_tolerance_cents, parent_gap_floor_us, parent_gap_legacy_us, parent_gap_us
with

compared as (
    select
        *,
        first_us - lag(last_us) over one_package as gap_us,
        case order_class
            when 'floor' then $parent_gap_floor_us::bigint
            when 'legacy' then $parent_gap_legacy_us::bigint
            else $parent_gap_us::bigint
        end as longest_gap_us,
        lag(unit) over one_package as unit_before,
        lag(nets) over one_package as nets_before
    from fold.fills
    window one_package as (
        partition by exchange, order_class, contract_numbers, ratios order by fill_id
    )
),

starts as (
    select
        *,
        coalesce(gap_us > longest_gap_us, true)
        or coalesce(
            list_min([
                abs(x[1]::hugeint * unit_before - x[2]::hugeint * unit)
                for x in list_zip(nets, nets_before)
            ]) > $net_tolerance_cents::hugeint * unit * unit_before,
            false
        ) as is_start
    from compared
)

select
    fill_id,
    max(case when is_start then fill_id end) over (
        partition by exchange, order_class, contract_numbers, ratios
        order by fill_id rows unbounded preceding
    ) as parent_id
from starts
