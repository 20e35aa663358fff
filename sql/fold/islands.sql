-- fold.islands: leg prints without a package, in runs of one stream with no gap above the level. An
-- island that an earlier pass judged by the same rules and left whole is not judged again.
-- grain: print_number
-- reads: fold.fill_prints, fold.judged_islands, fold.leg_prints, fold.pass
-- param: is_any_letter, level_us
with

streams as (
    select
        *,
        -- the last passes let one execution carry two letters: part against the complex book,
        -- part against single orders
        case
            when $is_any_letter::boolean and is_leg then -1000 * exchange_number - gap_scale
            else stream
        end as shared_stream
    from fold.leg_prints
    anti join fold.fill_prints using (print_number)
),

starts as (
    select
        *,
        coalesce(
            printed_us - lag(printed_us) over in_time
                > least($level_us::bigint, widest_level_us) * gap_scale,
            true
        ) as is_start
    from streams
    window in_time as (partition by shared_stream order by print_number)
),

numbered as (
    select
        *,
        max(case when is_start then print_number end) over (
            partition by shared_stream order by print_number rows unbounded preceding
        ) as island
    from starts
),

counted as (
    select
        *,
        row_number() over (partition by island order by print_number) as position,
        last(print_number) over whole_island as last_print,
        count(*) over whole_island as island_prints,
        sum(loose_cost) over whole_island::bigint as island_loose_cost
    from numbered
    -- ordered like the positions, so that all three need one sort
    window whole_island as (
        partition by island order by print_number
        rows between unbounded preceding and unbounded following
    )
),

-- no print of the stream between its ends is gone: it is the same island
judged as (
    select judged.island, judged.last_print, judged.island_prints
    from fold.judged_islands as judged
    semi join fold.pass using (is_final, is_weak_allowed)
)

select
    island,
    position,
    island_prints,
    island_loose_cost,
    loose_cost,
    print_number,
    contract_number,
    size,
    cash_cents,
    is_penny,
    printed_us,
    gap_scale
from counted
anti join judged using (island, last_print, island_prints)
where island_prints > 1
