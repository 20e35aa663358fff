-- Assumptions of an index that is derived by put-call parity.

-- Seconds of trading, about, that lie within so many seconds up to a close.
create or replace macro trading_seconds(seconds) as
    least(seconds, 23_400) + 23_400 * (seconds // 86_400);

-- The index is published once a second: a value of it is up to a second from the state.
create or replace macro index_seconds() as 1;

-- One standard deviation of a carry that is not measured, per year: of an expiry of the session
-- itself, before which no dividend falls, by the yield curve; of a later one, by the chain, for
-- dividends come in lumps; and where nothing says anything of it.
create or replace macro carry_error_of_curve() as 0.01::double;
create or replace macro carry_error_of_chain() as 0.02::double;
create or replace macro carry_error_unknown() as 0.05::double;

-- Fewest and most minutes with an index that a carry is measured at.
create or replace macro carry_minutes_min() as 10;
create or replace macro carry_minutes_max() as 30;

-- Largest error, in index points, of an index by parity that is given at all.
create or replace macro parity_error_max() as 3.0::double;
