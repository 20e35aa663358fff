-- book.bar_covariances: covariances as each pricing uses them: those known at the pricing, and
-- later ones from their own minute on.
-- grain: state_at, minute_at, pair_number, other_number
-- reads: book.bar_states, book.deviation_products, book.pairs
with

-- the states priced here: one that only serves was priced before
states as (
    select distinct state_at
    from book.bar_states
    where minute_at = state_at
),

strikes as (select root, expiry, strike, pair_number from book.pairs),

products as (
    select
        products.minute_at,
        products.covariance,
        least(strikes.pair_number, other_strikes.pair_number) as pair_number,
        -- of a strike with itself, both
        greatest(strikes.pair_number, other_strikes.pair_number) as other_number
    from book.deviation_products as products
    inner join strikes using (root, expiry, strike)
    left join strikes as other_strikes
        on other_strikes.root = products.other_root
        and other_strikes.expiry = products.other_expiry
        and other_strikes.strike = products.other_strike
),

started as (
    select
        states.state_at as first_state_at,
        products.pair_number,
        products.other_number,
        exact_square_sum(products.covariance) as covariance
    from products
    asof join states on products.minute_at <= states.state_at
    group by all
),

-- all covariances known by a state, until a later one knows more
summed as (
    select
        first_state_at,
        lead(first_state_at, 1, 'infinity'::timestamp) over one_product as next_state_at,
        pair_number,
        other_number,
        (sum(square_units(covariance)) over one_product)::double / 1e6 as covariance
    from started
    window one_product as (partition by pair_number, other_number order by first_state_at)
),

known as (
    select
        states.state_at,
        states.state_at as minute_at,
        summed.pair_number,
        summed.other_number,
        summed.covariance
    from summed
    inner join states
        on states.state_at >= summed.first_state_at and states.state_at < summed.next_state_at
),

fresh as (
    select
        states.state_at,
        products.minute_at,
        products.pair_number,
        products.other_number,
        exact_square_sum(products.covariance) as covariance
    from products
    inner join book.bar_states as states using (minute_at)
    where products.minute_at > states.state_at
    group by all
)

select
    state_at,
    minute_at,
    pair_number,
    other_number,
    covariance
from (from known union all from fresh)
