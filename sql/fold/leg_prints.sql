-- fold.leg_prints: prints that are or may be legs of packages, by the lane they share.
-- A lane is one exchange and one condition letter: the legs of one execution carry one letter.
-- Where the vendor gives no condition, or only that it was late, every print may be a leg. What it
-- costs to leave it alone says how likely that is: a price off the tick of single orders is a
-- leg's, large prints seldom meet by chance, and single lots often do.
-- grain: print_number
-- reads: fold.kept_prints
-- param: blind_gap_us, large_cost, large_size, leg_cost, lot_cost, print_cost, widest_gap_us
select
    print_number,
    printed_us,
    exchange,
    exchange || coalesce(condition, '?') as lane,
    -- floor brokers and the 25 ms stamps of old tapes spread one package over a longer time
    case when print_class in ('floor', 'legacy', 'late') then 200 else 1 end as lane_scale,
    -- strangers meet: prints without a condition must be closer than prints that say they are legs
    case
        when condition is null or print_class = 'late' then $blind_gap_us::bigint
        when print_class not in ('floor', 'legacy') then $widest_gap_us::bigint
    end as widest_level_us,
    is_multi_leg as is_leg,
    is_off_tick,
    case
        when is_multi_leg or is_off_tick then $leg_cost::integer
        when size >= $large_size::integer then $large_cost::integer
        when size > 1 then $print_cost::integer
        else $lot_cost::integer
    end as loose_cost,
    contract_number,
    size,
    cash_cents,
    is_penny
from fold.kept_prints
where is_multi_leg or condition is null or print_class = 'late'
