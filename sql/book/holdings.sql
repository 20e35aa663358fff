-- book.holdings: dealer positions in each strike as the states from enters_at on, before leaves_at,
-- know them: at the open, and again after each later report. Each strike has exactly one row at
-- every state, even if it holds nothing.
-- grain: pair_number, enters_at
-- reads: book.inventory, book.late_inventory, book.pairs
with

contracts as (
    select
        pairs.pair_number,
        known.option_type,
        known.open_quantity,
        known.source,
        known.oi_quantity,
        known.oi_source,
        coalesce(known.enters_at, '-infinity'::timestamp) as enters_at
    from (from book.inventory union all by name from book.late_inventory) as known
    inner join book.pairs as pairs using (root, expiry, strike)
),

entry_times as (
    select pair_number, enters_at from contracts
    union
    select pair_number, '-infinity'::timestamp from book.pairs
),

sides as (
    select
        entry_times.pair_number,
        entry_times.enters_at,
        contracts.option_type,
        arg_max(contracts.open_quantity, contracts.enters_at) as open_quantity,
        arg_max(contracts.oi_quantity, contracts.enters_at) as oi_quantity,
        arg_max(contracts.source, contracts.enters_at) as source,
        arg_max(contracts.oi_source, contracts.enters_at) as oi_source
    from entry_times
    left join contracts
        on contracts.pair_number = entry_times.pair_number
        and contracts.enters_at <= entry_times.enters_at
    group by entry_times.pair_number, entry_times.enters_at, contracts.option_type
)

select
    pair_number,
    enters_at,
    lead(enters_at, 1, 'infinity'::timestamp) over (
        partition by pair_number order by enters_at
    ) as leaves_at,
    coalesce(sum(open_quantity) filter (option_type = 'C'), 0)::bigint as call_inventory,
    coalesce(sum(open_quantity) filter (option_type = 'P'), 0)::bigint as put_inventory,
    coalesce(sum(oi_quantity) filter (option_type = 'C'), 0)::bigint as call_oi,
    coalesce(sum(oi_quantity) filter (option_type = 'P'), 0)::bigint as put_oi,
    -- contracts that do not rest on the naive reading
    coalesce(sum(abs(open_quantity)) filter (source <> 'open_interest'), 0)::bigint
        as known_inventory,
    coalesce(sum(abs(oi_quantity)) filter (oi_source <> 'open_interest'), 0)::bigint as known_oi
from sides
group by pair_number, enters_at
