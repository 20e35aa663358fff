-- book.flows: contracts that the orders of the session with a decided side added to the dealer
-- book, summed over the orders that the same state is the first to know. Only the sign of the whole
-- order counts: signs of single prints of a package are no better than a coin. A version counts as
-- it was known, until the state that knows better takes it back. minute_at is the first state that
-- knows, null when the session ended before.
-- grain: root, expiry, strike, option_type, minute_at
-- reads: fold.edition_legs, fold.editions, tape.minutes
with

versions as (
    select edition_id, visible_at as usable_at, 1 as weight from fold.editions
    union all
    select edition_id, superseded_at, -1 from fold.editions where superseded_at is not null
),

-- the instants at which something became known, before the search among the states
arrivals as (
    select
        legs.root,
        legs.expiry,
        legs.strike,
        legs.option_type,
        -- a state knows what was known before it
        date_trunc('minute', versions.usable_at) + interval 1 minute as known_by,
        -sum(versions.weight * legs.customer_sign * legs.contracts)::bigint as dealer_quantity
    from fold.edition_legs as legs
    inner join versions using (edition_id)
    where legs.customer_sign <> 0
    group by all
)

select
    arrivals.root,
    arrivals.expiry,
    arrivals.strike,
    arrivals.option_type,
    minutes.minute_at,
    sum(arrivals.dealer_quantity)::bigint as dealer_quantity
from arrivals
asof left join tape.minutes as minutes on arrivals.known_by <= minutes.minute_at
group by all
