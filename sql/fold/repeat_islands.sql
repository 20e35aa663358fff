-- fold.repeat_islands: all leg prints, also those in packages, in islands of one lane, so that a
-- package that came through more than once can be looked for wherever its contracts met.
-- grain: print_number
-- reads: fold.fill_prints, fold.kept_prints
-- param: repeat_level_us
with

legs as (
    select
        prints.print_number,
        prints.printed_us,
        prints.contract_number,
        prints.size,
        prints.exchange || case
            when prints.print_class in ('floor', 'cross', 'legacy') then prints.print_class
            else 'electronic'
        end as lane,
        case when prints.print_class in ('floor', 'legacy') then 200 else 1 end as lane_scale,
        coalesce(fills.fill_id, prints.print_number) as piece_id
    from fold.kept_prints as prints
    left join fold.fill_prints as fills using (print_number)
    where prints.is_multi_leg or fills.fill_id is not null
),

starts as (
    select
        *,
        coalesce(
            printed_us - lag(printed_us) over in_time > $repeat_level_us::bigint * lane_scale, true
        ) as is_start
    from legs
    window in_time as (partition by lane order by print_number)
)

select
    max(case when is_start then print_number end) over (
        partition by lane order by print_number rows unbounded preceding
    ) as island,
    lane,
    lane_scale,
    print_number,
    printed_us,
    contract_number,
    size,
    piece_id
from starts
