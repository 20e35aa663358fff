-- Total variance at a log-moneyness between two quoted points, low and high: linear between them,
-- flat outside. The second point is null beyond the last quoted strike. Null in, null out.
create or replace macro smile_total_variance(log_strike, log_low, variance_low, log_high, variance_high) as
    case
        when log_strike <= log_low or log_high is null then variance_low
        when log_strike >= log_high then variance_high
        when log_strike > log_low then
            variance_low
            + (variance_high - variance_low) * (log_strike - log_low) / (log_high - log_low)
    end;
