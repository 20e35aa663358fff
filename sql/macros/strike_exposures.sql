-- Exposures of dealers to one contract of 100, in $M: units and signs of all of them.
-- A contract that dealers are long has the sign of its own greek, one that they are short the
-- opposite: docs/levels.md says what that means. Null in, null out.

-- Delta of a call: $M of index that the contract stands for.
create or replace macro call_delta_musd(forward, discount, forward_delta) as
    1e-4::double * discount * forward * forward_delta;

-- Change of that per vol point, 0.01 of volatility a year; equal for the call and the put.
create or replace macro vanna_musd_per_vol_point(forward, discount, d1, deviation, years) as
    1e-6::double * vanna_at(discount * forward, d1, deviation, deviation / sqrt(years));

-- Change of a call's delta per calendar day, index and volatility held fixed.
create or replace macro call_charm_musd_per_day(
    spot, forward, discount, d1, deviation, years, forward_delta
) as
    1e-4::double * spot * charm_at(spot, forward, discount, d1, deviation, forward_delta)
    / (365.0::double * years);

-- Delta, and charm, that the put of a strike has less than its call.
create or replace macro parity_delta_musd(forward, discount) as 1e-4::double * discount * forward;

create or replace macro parity_charm_musd_per_day(spot, forward, discount, years) as
    -1e-4::double * discount * forward * ln(black76_carry(spot, forward, discount))
    / (365.0::double * years);

-- States whose exposures are published by strike and expiry: the first, and every fifth minute.
create or replace macro has_exposures(minute_et) as
    minute_et = opening_minute() or minute_number(minute_et) % 5 = 0;
