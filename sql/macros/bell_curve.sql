-- The normal distribution, which DuckDB does not have: no erf, no erfc, no normal CDF.
-- erfcx(x) = exp(x^2) erfc(x) for x >= 0 is one polynomial of degree 22 in (x - 3.75) / (x + 3.75)
-- over 1 + 2x (the change of variable of Shepherd & Laframboise, Math. Comp. 36, 1981, 249-253),
-- fitted here to 4.1e-16 relative. Null in, null out.
create or replace macro erfcx_polynomial(t) as ((((((((((((((((((((((-2.7293941332533855e-09)*t+(-1.952790162974837e-09))*t+(3.256499083798513e-08))*t+(1.8778501156468795e-08))*t+(-2.4996538037405243e-07))*t+(-5.0816911811698186e-08))*t+(1.7438577411359181e-06))*t+(-9.79297529099823e-07))*t+(-1.143961526007595e-05))*t+(2.238759272534769e-05))*t+(5.164737123871838e-05))*t+(-0.0002901553656394713))*t+(0.00029371408777227685))*t+(0.0017556261692276722))*t+(-0.00974657962081509))*t+(0.028362277371370044))*t+(-0.058693398584491845))*t+(0.09230432116435616))*t+(-0.10880393014193915))*t+(0.08227673848999159))*t+(0.0035854154854663067))*t+(-0.14024059858554522))*t+(1.2375126308378275::double);

create or replace macro erfcx_of_positive(x) as
    erfcx_polynomial((x - 3.75::double) / (x + 3.75::double)) / (1.0::double + 2.0::double * x);

-- One polynomial for both signs: erfcx(-x) = 2 exp(x^2) - erfcx(x).
create or replace macro erfcx(x) as
    erfcx_of_positive(abs(x)) * case when x < 0 then -1.0::double else 1.0::double end
    + case when x < 0 then 2.0::double * exp(x * x) else 0.0::double end;

create or replace macro normal_density(x) as exp(-0.5::double * x * x) * 0.3989422804014326779::double;

-- The tail of |x| for both signs: outside of a case the engine computes it once, and the argument of
-- its polynomial once, not at each of its 44 places.
create or replace macro normal_cdf(x) as
    case when x < 0 then 0.0::double else 1.0::double end
    - case when x < 0 then -0.5::double else 0.5::double end
        * exp(-0.5::double * x * x) * erfcx_of_positive(abs(x) * 0.70710678118654752440::double);
