-- book.holdings: dealer positions in each strike as the states from enters_at on, before leaves_at,
-- know them: at the open, and again after each later report. Contracts; a call and a put of a
-- strike have one gamma, so their positions add up, and their deviations as independent ones.
-- listed is what the strike may hold at most: open interest, or the position where that is unknown,
-- and null where neither a source nor open interest says how much is guessed. Each strike has
-- exactly one row at every state, even if it holds nothing.
-- grain: pair_number, enters_at
-- reads: book.inventory, book.late_inventory, book.pairs
with

contracts as (
    select
        pairs.pair_number,
        known.option_type,
        known.open_quantity,
        known.guessed_quantity,
        known.deviation_quantity,
        known.balance_quantity,
        known.rate_quantity,
        known.oi_quantity,
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
        arg_max(contracts.open_quantity, contracts.enters_at)::double as open_quantity,
        arg_max_null(contracts.guessed_quantity, contracts.enters_at)::double as guessed_quantity,
        arg_max(contracts.deviation_quantity, contracts.enters_at)::double as deviation_quantity,
        arg_max(contracts.balance_quantity, contracts.enters_at)::double as balance_quantity,
        arg_max(contracts.rate_quantity, contracts.enters_at)::double as rate_quantity,
        arg_max(contracts.oi_quantity, contracts.enters_at) as oi_quantity
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
    coalesce(max(open_quantity) filter (option_type = 'C'), 0) as call_inventory,
    coalesce(max(open_quantity) filter (option_type = 'P'), 0) as put_inventory,
    coalesce(max(oi_quantity) filter (option_type = 'C'), 0)::bigint as call_oi,
    coalesce(max(oi_quantity) filter (option_type = 'P'), 0)::bigint as put_oi,
    coalesce(max(guessed_quantity) filter (option_type = 'C'), 0) as call_guess,
    coalesce(max(guessed_quantity) filter (option_type = 'P'), 0) as put_guess,
    coalesce(max(deviation_quantity) filter (option_type = 'C'), 0) as call_deviation,
    coalesce(max(deviation_quantity) filter (option_type = 'P'), 0) as put_deviation,
    coalesce(max(balance_quantity) filter (option_type = 'C'), 0) as call_balance,
    coalesce(max(balance_quantity) filter (option_type = 'P'), 0) as put_balance,
    coalesce(max(rate_quantity) filter (option_type = 'C'), 0) as call_rate,
    coalesce(max(rate_quantity) filter (option_type = 'P'), 0) as put_rate,
    sum(greatest(abs(open_quantity), abs(coalesce(oi_quantity, 0))))
        filter (guessed_quantity is not null) as listed
from sides
group by pair_number, enters_at
