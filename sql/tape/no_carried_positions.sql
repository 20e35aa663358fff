-- tape.no_carried_positions: of a session without closing positions before it: no row.
-- grain: root, expiry, strike, option_type
-- reads:
select
    null::varchar as root,
    null::date as expiry,
    null::double as strike,
    null::varchar as option_type,
    null::decimal(18, 4) as quantity,
    null::decimal(18, 4) as guessed_quantity,
    null::decimal(18, 4) as measured_quantity,
    null::decimal(18, 4) as deviation_quantity,
    null::decimal(18, 4) as balance_quantity,
    null::decimal(18, 4) as rate_quantity,
    null::integer as sessions_carried
where false
