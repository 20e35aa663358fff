-- simulate.truth_parents: the true orders of a simulated session.
-- grain: session_date, parent_id
-- reads: simulate.raw_parents, simulate.raw_prints
-- param: has_conditions, session
with

printed as (
    select
        parent_id,
        arg_min(sequence, (printed_us, sequence))::bigint as first_sequence,
        make_timestamp(min(printed_us)::bigint) as printed_at,
        make_timestamp(max(printed_us)::bigint) as last_printed_at,
        count(*)::int as print_count,
        count(*) filter (where is_cancelled = 1)::int as cancelled_count,
        sum(size) filter (where is_cancelled = 0)::int as contracts,
        -- cents times contracts is dollars, and whole: no float sum whose order could vary
        sum(size::bigint * cents) filter (where is_cancelled = 0)::double as gross_premium_usd
    from simulate.raw_prints
    where is_cancel = 0 and ($has_conditions or is_cancelled = 0)
    group by parent_id
)

select
    $session::date as session_date,
    parent.parent_id::bigint as parent_id,
    parent.structure,
    parent.has_combo = 1 as is_hedged_with_combo,
    parent.print_class,
    parent.customer_sign,
    parent.size,
    coalesce(printed.contracts, 0) as contracts,
    parent.leg_count,
    parent.is_initiated = 1 as is_customer_initiated,
    printed.first_sequence,
    printed.printed_at,
    printed.last_printed_at,
    printed.print_count,
    printed.cancelled_count,
    parent.net_cents / 100 as net_price,
    coalesce(printed.gross_premium_usd, 0) as gross_premium_usd
from simulate.raw_parents as parent
inner join printed using (parent_id)
order by parent.parent_id
