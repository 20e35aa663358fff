-- levels.lobes: stretches of the scan on which net dealer gamma has one sign; a root stands between
-- two of them. Steps where it is under a dollar per point have no sign and belong to no lobe.
-- grain: minute_at, book_basis, bucket, lobe_number
-- reads: book.scan
with

signed as materialized (
    select
        minute_at,
        book_basis,
        bucket,
        step,
        index_point,
        dealer_gamma_musd_per_point as gamma,
        lag(step) over by_step as last_step,
        lag(index_point) over by_step as last_point,
        lag(dealer_gamma_musd_per_point) over by_step as last_gamma
    from book.scan
    where not is_gamma_noise(dealer_gamma_musd_per_point)
    window by_step as (partition by minute_at, book_basis, bucket order by step)
),

-- the steps at which a lobe begins are few: these alone are sorted again
starts as (
    select
        minute_at,
        book_basis,
        bucket,
        step,
        sign(gamma)::integer as gamma_sign,
        case
            when last_gamma is null then null
            -- steps without a sign between two with opposite ones: the root is there, in the middle
            when step - last_step > 1 then 0.5::double * (last_point + index_point)
            else last_point + (index_point - last_point) * last_gamma / (last_gamma - gamma)
        end as root_before
    from signed
    where last_gamma is null or sign(gamma) <> sign(last_gamma)
),

lobes as (
    select
        *,
        row_number() over by_step - 1 as lobe_number,
        lead(step, 1, scan_steps() + 1) over by_step as next_step
    from starts
    window by_step as (partition by minute_at, book_basis, bucket order by step)
)

select
    lobes.minute_at,
    lobes.book_basis,
    lobes.bucket,
    lobes.lobe_number::integer as lobe_number,
    any_value(lobes.root_before) as root_before,
    any_value(lobes.gamma_sign) as gamma_sign,
    max(abs(signed.gamma)) as highest_gamma_musd
from signed
inner join lobes
    on lobes.minute_at = signed.minute_at
    and lobes.book_basis = signed.book_basis
    and lobes.bucket = signed.bucket
    and signed.step >= lobes.step
    and signed.step < lobes.next_step
group by lobes.minute_at, lobes.book_basis, lobes.bucket, lobes.lobe_number
