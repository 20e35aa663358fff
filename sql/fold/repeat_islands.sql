-- fold.repeat_islands: all leg prints, including those in packages, in islands of one stream, so
-- that a package that came more than once can be looked for wherever its contracts met. A loose
-- print without a condition is included when its contract is a leg of a package found within the
-- gap of one order: it may be a leg of another fill, also when its price is that of a single order.
-- grain: print_number
-- reads: fold.fill_prints, fold.included_prints
-- param: parent_gap_floor_us, parent_gap_legacy_us, parent_gap_us, repeat_level_us
with

prints as (
    select
        prints.print_number,
        prints.printed_us,
        prints.contract_number,
        prints.size,
        prints.exchange || case
            when prints.print_class in ('floor', 'cross', 'legacy') then prints.print_class
            else 'electronic'
        end as stream,
        case when prints.print_class in ('floor', 'legacy') then 200 else 1 end as gap_scale,
        case prints.print_class
            when 'floor' then $parent_gap_floor_us::bigint
            when 'legacy' then $parent_gap_legacy_us::bigint
            else $parent_gap_us::bigint
        end as order_gap_us,
        coalesce(fills.fill_id, prints.print_number) as piece_id,
        prints.printed_us // $parent_gap_us::bigint as bucket,
        prints.is_multi_leg or fills.fill_id is not null as is_leg,
        prints.condition is null as is_blind
    from fold.included_prints as prints
    left join fold.fill_prints as fills using (print_number)
    where prints.is_multi_leg or fills.fill_id is not null or prints.condition is null
),

found as (
    select
        stream,
        contract_number,
        printed_us,
        unnest([bucket - 1, bucket, bucket + 1]) as bucket
    from prints
    where is_leg and is_blind
),

repeating as (
    select distinct prints.print_number
    from prints
    inner join found using (stream, contract_number, bucket)
    where not prints.is_leg
        and abs(prints.printed_us - found.printed_us) <= $parent_gap_us::bigint
),

legs as (
    select *
    from prints
    where is_leg or print_number in (select print_number from repeating)
),

starts as (
    select
        *,
        coalesce(
            printed_us - lag(printed_us) over in_time > $repeat_level_us::bigint * gap_scale, true
        ) as is_start
    from legs
    window in_time as (partition by stream order by print_number)
)

select
    max(case when is_start then print_number end) over (
        partition by stream order by print_number rows unbounded preceding
    ) as island,
    stream,
    order_gap_us,
    print_number,
    printed_us,
    contract_number,
    size,
    piece_id
from starts
