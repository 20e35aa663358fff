-- fold.bursts: prints of one contract that belong together: one order against several others. A
-- burst ends when the gap is too long or the quoted side changes; a print at the middle joins. Legs
-- that found no package are joined the same way, whatever their side. A print without a code may be
-- a leg, so it never joins an order with a print whose code says it is not one: a late change of
-- one kind could not tell which orders of the other it affects (order_partition).
-- grain: print_number
-- reads: fold.fill_prints, fold.included_prints
-- param: burst_gap_floor_us, burst_gap_late_us, burst_gap_us
with

loose as (
    select
        *,
        case
            when condition is null then '?'
            when is_multi_leg then condition
            else ''
        end as leg_letter,
        case when is_multi_leg then null else nullif(quoted_side, 0) end as own_side
    from fold.included_prints
    anti join fold.fill_prints using (print_number)
),

-- one number for three texts: the key of every window below
streams as (
    select
        exchange,
        print_class,
        leg_letter,
        row_number() over (order by exchange, print_class, leg_letter) as stream
    from (select distinct exchange, print_class, leg_letter from loose)
),

spaced as (
    select
        loose.print_number,
        streams.stream,
        loose.contract_number,
        loose.is_multi_leg,
        loose.own_side,
        case loose.print_class
            when 'floor' then $burst_gap_floor_us::bigint
            when 'late' then $burst_gap_late_us::bigint
            else $burst_gap_us::bigint
        end as longest_gap_us,
        coalesce(loose.printed_us - lag(loose.printed_us) over one_contract > longest_gap_us, true)
            as is_after_gap,
        coalesce(lead(loose.printed_us) over one_contract - loose.printed_us > longest_gap_us, true)
            as is_before_gap
    from loose
    inner join streams using (exchange, print_class, leg_letter)
    window one_contract as (
        partition by streams.stream, loose.contract_number order by loose.print_number
    )
),

-- most prints stand alone; only the rest is split
gapped as (
    select
        *,
        max(case when is_after_gap then print_number end) over so_far as after_gap,
        lag(own_side ignore nulls) over in_time as side_before,
        lag(case when own_side is not null then print_number end ignore nulls) over in_time
            as sided_before
    from spaced
    where not (is_after_gap and is_before_gap)
    window
        in_time as (partition by stream, contract_number order by print_number),
        so_far as (
            partition by stream, contract_number order by print_number rows unbounded preceding
        )
),

marked as (
    select
        *,
        -- a side seen before the gap is ignored
        is_after_gap
        or coalesce(own_side <> side_before and sided_before >= after_gap, false) as is_start
    from gapped
),

joined as (
    select
        print_number,
        is_multi_leg,
        max(case when is_start then print_number end) over (
            partition by stream, contract_number order by print_number rows unbounded preceding
        ) as burst_id
    from marked
)

select print_number, print_number as burst_id, is_multi_leg, true as is_alone
from spaced
where is_after_gap and is_before_gap
union all
select
    print_number, burst_id, is_multi_leg, count(*) over (partition by burst_id) = 1 as is_alone
from joined
