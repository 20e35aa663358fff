-- levels.lobes: stretches of the scan on which net dealer gamma has one sign; a root stands between
-- two of them. Steps where it is under a dollar per point have no sign and belong to no lobe.
-- grain: minute_at, book_basis, bucket, lobe_number
-- reads: book.scan
with

signed as materialized (
    select
        curve_step(curve_number(minute_at, book_basis, bucket), step) as step_number,
        index_point,
        dealer_gamma_musd_per_point as gamma
    from book.scan
    where not is_gamma_noise(dealer_gamma_musd_per_point)
),

followed as (
    select
        *,
        lag(step_number) over by_step as last_number,
        lag(index_point) over by_step as last_point,
        lag(gamma) over by_step as last_gamma,
        coalesce(curve_of_step(last_number) <> curve_of_step(step_number), true) as is_first
    from signed
    window by_step as (order by step_number)
),

-- the steps at which a lobe begins are few: these alone are sorted again
starts as (
    select
        step_number,
        curve_of_step(step_number) as curve,
        sign(gamma)::integer as gamma_sign,
        case
            when is_first then null
            -- steps without a sign between two with opposite ones: the root is there, in the middle
            when step_number - last_number > 1 then 0.5::double * (last_point + index_point)
            else last_point + (index_point - last_point) * last_gamma / (last_gamma - gamma)
        end as root_before
    from followed
    where is_first or sign(gamma) <> sign(last_gamma)
),

lobes as (
    select
        *,
        row_number() over by_step - 1 as lobe_number,
        lead(step_number, 1, (curve + 1) * 1024) over by_step as next_number
    from starts
    window by_step as (partition by curve order by step_number)
)

select
    curve_minute(lobes.curve) as minute_at,
    curve_basis(lobes.curve) as book_basis,
    curve_bucket(lobes.curve) as bucket,
    lobes.lobe_number::integer as lobe_number,
    any_value(lobes.root_before) as root_before,
    any_value(lobes.gamma_sign) as gamma_sign,
    max(abs(signed.gamma)) as highest_gamma_musd
from signed
inner join lobes
    on lobes.curve = curve_of_step(signed.step_number)
    and signed.step_number >= lobes.step_number
    and signed.step_number < lobes.next_number
group by lobes.curve, lobes.lobe_number
