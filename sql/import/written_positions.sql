-- import.written_positions: the positions that are known, in the columns of the tape.
-- grain: row_id
-- reads: import.summed_positions
select
    row_number() over (order by root, expiry, strike, option_type) as row_id,
    session_date,
    root,
    expiry,
    strike,
    option_type,
    quantity,
    null::timestamp as known_at,
    guessed_quantity,
    dealers
from import.summed_positions
where dropped is null
