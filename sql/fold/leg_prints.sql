-- fold.leg_prints: prints that are or may be legs of packages, by stream. A stream is one exchange
-- and one condition letter: the legs of one execution carry one letter. Where the vendor gives no
-- condition, or only that the print was late, every print may be a leg. The cost of leaving a print
-- alone states how likely it is a leg: a price off the tick of single orders is a leg's, large
-- prints seldom meet by chance, and single lots often do.
-- grain: print_number
-- reads: fold.included_prints
-- param: blind_gap_us, large_cost, large_size, leg_cost, lot_cost, print_cost, widest_gap_us
with

legs as (
    select *
    from fold.included_prints
    where is_multi_leg or condition is null or print_class = 'late'
),

-- one number for two texts: the key of the windows of every pass
streams as (
    select
        exchange,
        letter,
        row_number() over (order by exchange, letter)::integer as stream,
        dense_rank() over (order by exchange)::integer as exchange_number
    from (select distinct exchange, coalesce(condition, '?') as letter from legs)
)

select
    legs.print_number,
    legs.printed_us,
    streams.stream,
    streams.exchange_number,
    -- floor brokers and the 25 ms stamps of old tapes spread one package over a longer time
    case when legs.print_class in ('floor', 'legacy', 'late') then 200 else 1 end as gap_scale,
    -- strangers meet: prints without a condition must be closer than prints that say they are legs
    case
        when legs.condition is null or legs.print_class = 'late' then $blind_gap_us::bigint
        when legs.print_class not in ('floor', 'legacy') then $widest_gap_us::bigint
    end as widest_level_us,
    legs.is_multi_leg as is_leg,
    legs.is_off_tick,
    case
        when legs.is_multi_leg or legs.is_off_tick then $leg_cost::integer
        when legs.size >= $large_size::integer then $large_cost::integer
        when legs.size > 1 then $print_cost::integer
        else $lot_cost::integer
    end as loose_cost,
    legs.contract_number,
    legs.size,
    legs.cash_cents,
    legs.is_penny
from legs
inner join streams
    on streams.exchange = legs.exchange
    and streams.letter = coalesce(legs.condition, '?')
