-- tape.listed_expiries: the expiries of contracts of the session's symbol in its tape: those of
-- seen_expiries, read from the files of prints and quotes, for a session whose rows are not loaded.
-- grain: root, expiry
-- reads: the files of prints and quotes, tape.dealer_positions, tape.open_interest, tape.session
-- param: files
with

contracts as (
    select root, expiry from read_parquet($files::varchar[], hive_partitioning = false)
    union all
    select root, expiry from tape.open_interest
    union all
    select root, expiry from tape.dealer_positions
)

select root, expiry::varchar as expiry, '-infinity' as known_at
from contracts
group by root, expiry
having symbol_of(root) = (select symbol from tape.session)
