-- ledger.tape_forwards: share of the traded expiries that have a forward, and agreement of the
-- nearest one with the index, where the tape has it: over a few days it is worth the index but for
-- a dividend.
-- grain: one row
-- reads: fold.print_fates, surface.forwards, surface.spots, tape.expiries, tape.prints, tape.session
with

traded as (
    select prints.root, prints.expiry, count(*) as print_count
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    where fates.fate = 'kept'
    group by prints.root, prints.expiry
),

-- an expiry counts at each minute by its prints of the whole session
minutes as (
    select
        sum(traded.print_count * (forwards.forward is null)::integer) / sum(traded.print_count)
            as forward_minutes_missing_share
    from surface.forwards as forwards
    inner join traded using (root, expiry)
    where coalesce(forwards.reason, '') not in ('expired', 'no_spot')
),

nearest as (
    select
        arg_min(
            forwards.forward * forwards.discount / forwards.spot,
            {'seconds_left': forwards.seconds_left, 'root': forwards.root}
        ) as forward_to_spot
    from surface.forwards as forwards
    inner join tape.expiries as expiries using (root, expiry)
    inner join surface.spots as spots
        on spots.minute_et = forwards.minute_et and spots.spot_source = 'index'
    cross join tape.session as session
    where symbol_of(forwards.root) = session.symbol
        and expiries.settlement = 'PM'
        and forwards.seconds_left <= 4 * 86_400
        and forwards.forward is not null
    group by forwards.minute_et
),

gaps as (
    select quantile_disc(abs(forward_to_spot - 1), 0.9) as forward_gap_p90
    from nearest
)

select minutes.forward_minutes_missing_share, gaps.forward_gap_p90
from minutes
cross join gaps
