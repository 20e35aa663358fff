-- levels.lobes: stretches of the scan on which net dealer gamma has one sign; a root stands between
-- two of them. Steps where it is under a dollar per point have no sign and belong to no lobe.
-- grain: minute_at, book_basis, bucket, lobe_number
-- reads: book.scan
with

signed as (
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

crossed as (
    select
        *,
        case
            when sign(gamma) = sign(last_gamma) or last_gamma is null then null
            -- steps without a sign between two with opposite ones: the root is there, in the middle
            when step - last_step > 1 then 0.5::double * (last_point + index_point)
            else last_point + (index_point - last_point) * last_gamma / (last_gamma - gamma)
        end as root
    from signed
),

numbered as (
    select
        *,
        count(root) over (
            partition by minute_at, book_basis, bucket order by step rows unbounded preceding
        ) as lobe_number
    from crossed
)

select
    minute_at,
    book_basis,
    bucket,
    lobe_number::integer as lobe_number,
    max(root) as root_before,
    sign(any_value(gamma))::integer as gamma_sign,
    max(abs(gamma)) as highest_gamma_musd
from numbered
group by minute_at, book_basis, bucket, lobe_number
