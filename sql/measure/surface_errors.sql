-- measure.surface_errors: error of forwards, volatilities and gammas read from the quotes of all
-- sessions, by the time to expiry.
-- grain: expires_within
-- reads: measure.surface_quotes
select
    expires_within,
    count(*) as quote_count,
    quantile_cont(forward_error, 0.5) as median_forward_error,
    quantile_cont(forward_error, 0.99) as high_forward_error,
    quantile_cont(vol_error, 0.5) as median_vol_error,
    quantile_cont(vol_error, 0.99) as high_vol_error,
    quantile_cont(gamma_error, 0.5) as median_gamma_error,
    quantile_cont(gamma_error, 0.99) as high_gamma_error
from measure.surface_quotes
group by expires_within
order by min(years)
