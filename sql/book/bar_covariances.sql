-- book.bar_covariances: the doubts as each pricing takes them: those known at the pricing, and
-- those that came while it serves, from their own minute on. A strike with itself has the variance
-- of its contracts; two strikes of one package, whose legs err together, twice their product.
-- grain: state_at, minute_at, pair_number, other_number
-- reads: book.bar_states, book.doubts, book.pairs
with

states as (select distinct state_at from book.bar_states),

legs as (
    select doubts.*, pairs.pair_number
    from book.doubts as doubts
    join book.pairs as pairs using (root, expiry, strike)
    where pairs.enters_at is null
),

products as (
    select
        minute_at,
        pair_number,
        pair_number as other_number,
        weight * doubtful_contracts * doubtful_contracts as covariance,
    from legs
    union all
    select
        legs.minute_at,
        least(legs.pair_number, others.pair_number),
        greatest(legs.pair_number, others.pair_number),
        2 * legs.weight * legs.doubtful_contracts * others.doubtful_contracts,
    from legs
    join legs as others using (edition_id, weight)
    where legs.is_package
        and legs.leg_number < others.leg_number
),

started as (
    select
        states.state_at as first_state_at,
        products.pair_number,
        products.other_number,
        exact_square_sum(products.covariance) as covariance,
    from products
    asof join states on products.minute_at <= states.state_at
    group by all
),

known as (
    select
        states.state_at,
        states.state_at as minute_at,
        started.pair_number,
        started.other_number,
        exact_square_sum(started.covariance) as covariance,
    from started
    join states on states.state_at >= started.first_state_at
    group by all
),

fresh as (
    select
        states.state_at,
        products.minute_at,
        products.pair_number,
        products.other_number,
        exact_square_sum(products.covariance) as covariance,
    from products
    join book.bar_states as states using (minute_at)
    where products.minute_at > states.state_at
    group by all
)

select
    state_at,
    minute_at,
    pair_number,
    other_number,
    covariance,
from (from known union all from fresh)
