-- measure.iv_prototype: the same volatilities by the prototype's macros, in its four steps.
-- grain: one row
-- reads: measure.iv_quotes
with

normalised as (
    select
        *,
        abs(log_fk(forward, strike)) as a,
        (price - discount * greatest(
            case option_type when 'C' then forward - strike else strike - forward end, 0
        )) / (discount * sqrt(forward * strike)) as beta
    from measure.iv_quotes
),

started as (select *, ln(beta) as lnb, iv_guess(a, beta, ln(beta)) as s0 from normalised),
slope1 as (select *, iv_d(a, s0) as d0 from started),
step1 as (select *, iv_step(a, lnb, s0, d0) as s1 from slope1),
slope2 as (select *, iv_d(a, s1) as d1 from step1),
step2 as (select *, iv_step(a, lnb, s1, d1) as s2 from slope2),
slope3 as (select *, iv_d(a, s2) as d2 from step2),
step3 as (select *, iv_step(a, lnb, s2, d2) as s3 from slope3),
slope4 as (select *, iv_d(a, s3) as d3 from step3),
step4 as (select *, iv_step(a, lnb, s3, d3) as s4 from slope4)

select
    count(s4) as solved_count,
    max(abs(s4 / sqrt(years) / true_vol - 1)) as worst_error
from step4
