-- fold.no_refusals: the empty start of fold.refused_pairs.
-- grain: package_id
-- reads: fold.leg_prints
select
    print_number as package_id,
    0::bigint as part_legs,
    print_number as earlier_last,
    print_number as later_last,
    0::bigint as earlier_prints,
    0::bigint as later_prints
from fold.leg_prints
where false
