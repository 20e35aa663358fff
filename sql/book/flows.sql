-- book.flows: contracts that the orders of the session added to the dealer book on average, summed
-- over the orders that the same state is the first to know. Only the sign of the whole order
-- counts: signs of single prints of a package are no better than a coin. A version counts as it was
-- known, until the state that knows better takes it back. dealer_quantity is null where no order with
-- a decided side is among them; variance, in contracts squared, counts the others too, and so do the
-- errors that orders share; lean is that of the orders whose first leg the contract is. minute_at is
-- the first state that knows, null when the session ended before.
-- grain: root, expiry, strike, option_type, minute_at
-- reads: book.leg_sides, tape.minutes
with

versions as (
    select *, visible_at as usable_at, 1 as weight from book.leg_sides
    union all
    select *, superseded_at, -1 from book.leg_sides where superseded_at is not null
),

-- the instants at which something became known, before the search among the states
arrivals as (
    select
        root,
        expiry,
        strike,
        option_type,
        -- a state knows what was known before it
        date_trunc('minute', usable_at) + interval 1 minute as known_by,
        (sum(weight * dealer_quantity) filter (customer_sign <> 0))::decimal(18, 4)
            as dealer_quantity,
        exact_square_sum(weight * side_variance * square(contracts::double)) as variance,
        sum(weight * balance_quantity)::decimal(18, 4) as balance_quantity,
        sum(weight * rate_quantity)::decimal(18, 4) as rate_quantity,
        sum(weight * lean)::decimal(18, 4) as lean,
        sum(weight * lean_square)::decimal(18, 4) as lean_square
    from versions
    where customer_sign <> 0 or side_variance > 0
    group by all
)

select
    arrivals.root,
    arrivals.expiry,
    arrivals.strike,
    arrivals.option_type,
    minutes.minute_at,
    sum(arrivals.dealer_quantity)::decimal(18, 4) as dealer_quantity,
    exact_square_sum(arrivals.variance) as variance,
    sum(arrivals.balance_quantity)::decimal(18, 4) as balance_quantity,
    sum(arrivals.rate_quantity)::decimal(18, 4) as rate_quantity,
    sum(arrivals.lean)::decimal(18, 4) as lean,
    sum(arrivals.lean_square)::decimal(18, 4) as lean_square
from arrivals
asof left join tape.minutes as minutes on arrivals.known_by <= minutes.minute_at
group by all
