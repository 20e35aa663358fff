-- The yardstick of the inversion: the project's first macros for it, unchanged, without
-- refusals. They go into a database of their own, since some names equal the product's.
create or replace macro erfcx_poly(t) as
    ((((((((((((((((((((((-2.7293941332533855e-09)*t+(-1.952790162974837e-09))*t
    +(3.256499083798513e-08))*t+(1.8778501156468795e-08))*t+(-2.4996538037405243e-07))*t
    +(-5.0816911811698186e-08))*t+(1.7438577411359181e-06))*t+(-9.79297529099823e-07))*t
    +(-1.143961526007595e-05))*t+(2.238759272534769e-05))*t+(5.164737123871838e-05))*t
    +(-0.0002901553656394713))*t+(0.00029371408777227685))*t+(0.0017556261692276722))*t
    +(-0.00974657962081509))*t+(0.028362277371370044))*t+(-0.058693398584491845))*t
    +(0.09230432116435616))*t+(-0.10880393014193915))*t+(0.08227673848999159))*t
    +(0.0035854154854663067))*t+(-0.14024059858554522))*t+(1.2375126308378275);
create or replace macro erfcx_pos(x) as erfcx_poly((x-3.75)/(x+3.75))/(1.0+2.0*x);
create or replace macro erfcx(x) as
    case when x>=0 then erfcx_pos(x) else 2.0*exp(x*x)-erfcx_pos(-x) end;
create or replace macro log_fk(f,k) as 2.0*atanh((f-k)/(f+k));
create or replace macro iv_d(a,s) as
    0.5*(erfcx((a/s-0.5*s)*0.70710678118654752440)-erfcx((a/s+0.5*s)*0.70710678118654752440));
create or replace macro iv_step(a,lnb,s,dd) as
    s + greatest(-0.6*s, least(1.5*s,
    -((-0.5*(a*a/(s*s)+0.25*s*s)+ln(dd)-lnb)*dd/0.3989422804014326779)
    / greatest(0.3, 1.0-0.5*((-0.5*(a*a/(s*s)+0.25*s*s)+ln(dd)-lnb)*dd/0.3989422804014326779)
                            *((a*a/(s*s*s)-0.25*s)-0.3989422804014326779/dd)) ));
create or replace macro iv_guess(a,beta,lnb) as
    sqrt(6.283185307179586477*beta*beta + a*a/greatest(1e-12,-2.0*lnb));
