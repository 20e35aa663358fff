-- fold.open_prints: prints that say they are legs and have no package yet, by the lane they share.
-- A lane is one exchange and one condition letter: the legs of one execution carry one letter.
-- grain: print_number
-- reads: fold.fill_prints, fold.kept_prints
select
    print_number,
    printed_us,
    exchange || condition as lane,
    -- floor brokers and the 25 ms stamps of old tapes spread one package over a longer time
    case when print_class in ('floor', 'legacy') then 200 else 1 end as lane_scale,
    contract_number,
    size,
    cash_cents,
    is_penny
from fold.kept_prints
where is_multi_leg
    and print_number not in (select print_number from fold.fill_prints)
