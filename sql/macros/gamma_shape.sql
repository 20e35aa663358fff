-- Course of one contract's dealer gamma over the index at a sticky strike: the forward in proportion
-- to the index, volatility and time as they are. With x = ln(S / spot) and s = sigma * sqrt(T),
--     100 * black76_gamma(S) * S / 1e6 = gamma_peak_musd * gamma_shape(d1, 1 / s, x)
-- so a scan over S costs one exponential a point. $M per index point and contract.
create or replace macro gamma_peak_musd(spot, forward, discount, deviation) as
    0.3989422804014326779e-4::double * discount * forward / (spot * deviation);

create or replace macro gamma_shape(d1, steepness, log_shift) as
    exp(-0.5::double * (d1 + steepness * log_shift) * (d1 + steepness * log_shift));

-- Beyond nine deviations a position of a million contracts rounds to nothing in exact_sum.
create or replace macro gamma_cutoff() as 9.0::double;

-- The share of its gamma that a book must have priced to have levels.
create or replace macro least_priced_share() as 0.9::double;

-- One step of the scan: a whole index point, or less for an index below 1000 (0.01 for VIX at 15).
create or replace macro scan_point(spot) as
    least(1.0::double, power(10.0::double, floor(log10(spot)) - 3));

-- Steps on each side of the spot in which roots are looked for.
create or replace macro scan_steps() as 300;

-- A gamma in $M per point too small to have a sign: one dollar.
create or replace macro is_gamma_noise(gamma_musd) as abs(gamma_musd) < 1e-6::double;
