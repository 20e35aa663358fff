-- tape.carried_positions: dealers' position of a symbol at the close of the session before, the
-- contracts of it that nobody measured, and what is not known of it; sessions_carried counts the
-- sessions in a row whose flow is in it. A file of an older version does not tell guess and flow
-- apart: where it rests on open interest all of it is a guess, of no known size (null).
-- grain: root, expiry, strike, option_type
-- reads: the files of closing_positions
-- param: file, symbol
with

positions as (
    from read_parquet($file, hive_partitioning = false)
    union all by name
    select
        null::double as guessed_quantity,
        null::double as measured_quantity,
        null::double as deviation_quantity,
        null::double as balance_quantity,
        null::double as rate_quantity,
        null::integer as sessions_carried
    where false
),

read as (
    select
        *,
        sessions_carried is null and open_source in ('open_interest', 'carried') as is_old_guess
    from positions
)

select
    root,
    expiry,
    strike,
    option_type,
    if(is_old_guess, whole_contracts(0), whole_contracts(quantity)) as quantity,
    case
        when is_old_guess then null
        when sessions_carried is null then whole_contracts(0)
        else whole_contracts(guessed_quantity)
    end as guessed_quantity,
    whole_contracts(measured_quantity) as measured_quantity,
    whole_contracts(coalesce(deviation_quantity, 0)) as deviation_quantity,
    whole_contracts(coalesce(balance_quantity, 0)) as balance_quantity,
    whole_contracts(coalesce(rate_quantity, 0)) as rate_quantity,
    coalesce(sessions_carried, 0) as sessions_carried
from read
where symbol_of(root) = $symbol::varchar
