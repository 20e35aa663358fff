-- ledger.tape_markets: data of the session besides prints: index, forwards, curve, open interest.
-- grain: one row
-- reads: fold.print_fates, surface.forwards, surface.spots, tape.open_interest, tape.prints, tape.rates
with

spots as (
    select
        count(*) as minute_count,
        count(*) filter (where spot is null) as spot_minutes_missing,
        count(*) filter (where spot_source = 'parity') as spot_minutes_parity
    from surface.spots
),

-- an expiry that is over when the session opens needs no forward
forwards as (
    select root, expiry, count(forward) > 0 as has_forward
    from surface.forwards
    group by root, expiry
    having bool_or(reason is distinct from 'expired')
),

traded as (
    select distinct prints.root, prints.expiry
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    where fates.fate = 'kept'
),

expiries as (
    select
        count(*) as expiry_count,
        count(*) filter (where not forwards.has_forward) as expiries_without_forward
    from traded
    inner join forwards using (root, expiry)
)

select
    spots.spot_minutes_missing,
    spots.spot_minutes_parity,
    spots.spot_minutes_missing / nullif(spots.minute_count, 0) as spot_minutes_missing_share,
    expiries.expiry_count,
    expiries.expiries_without_forward,
    expiries.expiries_without_forward / nullif(expiries.expiry_count, 0)
        as expiries_without_forward_share,
    ((select count(*) from tape.rates) = 0)::integer as curve_missing,
    ((select count(*) from tape.open_interest) = 0)::integer as open_interest_missing
from spots
cross join expiries
