-- measure.carried_positions: tape.carried_positions as after so many sessions in a row on a tape
-- that began with open interest alone, without building those sessions. Of the open interest of a
-- contract that has n sessions left, a part is older than they are and still guessed: it falls as if
-- the contracts had come evenly at random with a mean age of 12 + n sessions. Of the rest the
-- dealers' true position is known with one standard deviation, up or down: as if it had come in
-- orders of 20 contracts with a mean 4p(1 - p) of 0.55.
-- grain: root, expiry, strike, option_type
-- reads: measure.truth_book
-- param: seed, sessions
with

ages as (
    select
        *,
        (expiry - session_date) * 252 / 365.25::double as sessions_left
    from measure.truth_book
    where open_interest > 0
),

parts as (
    select
        *,
        exp(-$sessions::double / (12 + sessions_left)) as guessed_share,
        sqrt(0.55::double * 20 * (1 - guessed_share) * open_interest) as deviation,
        md5(concat_ws(' ', $seed::integer, root, expiry, strike, option_type)) < '8' as is_above
    from ages
)

select
    root,
    expiry,
    strike,
    option_type,
    whole_contracts(
        open_quantity * (1 - guessed_share) + if(is_above, deviation, -deviation)
    ) as quantity,
    whole_contracts(guessed_share * open_interest) as guessed_quantity,
    null::decimal(18, 4) as measured_quantity,
    whole_contracts(deviation) as deviation_quantity,
    whole_contracts(0) as balance_quantity,
    whole_contracts(0) as rate_quantity,
    $sessions::integer as sessions_carried
from parts
