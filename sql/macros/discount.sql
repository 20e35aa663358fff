-- exp(-integral of the rate): the integral rate * days is linear between two tenors (flat forward)
-- and the rate is flat before the first and after the last one, where the other side is null.
-- Rates are continuously compounded per year of 365 days.
create or replace macro flat_forward_discount(days, days_low, rate_low, days_high, rate_high) as
    exp(-case
        when days_low is null then rate_high * days
        when days_high is null then rate_low * days
        else
            rate_low * days_low
            + (rate_high * days_high - rate_low * days_low) * (days - days_low) / (days_high - days_low)
    end / 365.0::double);
