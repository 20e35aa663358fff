-- surface.parity_carries: the carry of each forward that says where the index is, as the logarithm
-- of forward over index, and one standard deviation of it in index points, for the minutes without
-- an index. Measured at the last earlier minutes with both; else of the session's own expiry by the
-- yield curve, as no dividend falls before it; else by the slope of the forwards of the chain.
-- grain: term_number
-- reads: surface.parity_forwards, tape.expiries, tape.session
with

unknown as (
    from surface.parity_forwards
    where log_carry is null and not is_far
),

known as (
    select
        unknown.term_number,
        known.log_carry / known.years as carry,
        row_number() over (
            partition by unknown.term_number order by known.minute_at desc
        ) as recency
    from unknown
    inner join surface.parity_forwards as known
        on known.root = unknown.root and known.expiry = unknown.expiry
        and known.minute_at < unknown.minute_at
    where known.log_carry is not null
),

carries as (
    select term_number, median(carry) as carry, mad(carry) as carry_mad, count(*) as minute_count
    from known
    where recency <= carry_minutes_max()
    group by term_number
    having minute_count >= carry_minutes_min()
),

chained as (
    select
        unknown.*,
        -ln(unknown.discount) / unknown.years as rate,
        ln(far.forward / unknown.forward) / (far.years - unknown.years) as slope,
        carries.* exclude (term_number),
        unknown.discount_source = 'curve' as has_curve,
        expiries.ends_on = session.session_date as is_own
    from unknown
    cross join tape.session as session
    inner join tape.expiries as expiries using (root, expiry)
    left join carries using (term_number)
    left join surface.parity_forwards as far
        on far.minute_at = unknown.minute_at and far.is_far
)

select
    term_number,
    years * case
        when carry is not null then carry
        when has_curve and is_own then rate
        else coalesce(slope, case when has_curve then rate end, 0)
    end as log_carry,
    forward * years * case
        when carry is not null
            then sqrt(pi() / 2) * 1.4826::double * carry_mad / sqrt(minute_count)
        when has_curve and is_own then carry_error_of_curve()
        when slope is not null or has_curve then carry_error_of_chain()
        else carry_error_unknown()
    end as carry_error
from chained
