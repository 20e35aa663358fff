-- book.bar_doubts: the doubts as each pricing takes them: those known at the pricing, and those
-- that came while it serves, from their own minute on. Large packages keep their legs together, in
-- contracts with a sign; all other doubts are one deviation a strike.
-- grain: state_at, minute_at, order_id, error_number, root, expiry, strike
-- reads: book.bar_states, book.doubts
with

states as (select distinct state_at from book.bar_states),

parts as (
    select
        minute_at,
        is_package,
        case when is_package then order_id else '' end as order_id,
        case when is_package then error_number else 0 end as error_number,
        root,
        expiry,
        strike,
        case when is_package then doubtful_contracts else 0 end as package_contracts,
        doubtful_contracts * doubtful_contracts as variance,
    from book.doubts
),

started as (
    select
        states.state_at as first_state_at,
        parts.is_package,
        parts.order_id,
        parts.error_number,
        parts.root,
        parts.expiry,
        parts.strike,
        exact_sum(parts.package_contracts) as package_contracts,
        exact_square_sum(parts.variance) as variance,
    from parts
    asof join states on parts.minute_at <= states.state_at
    group by all
),

known as (
    select
        states.state_at,
        states.state_at as minute_at,
        started.is_package,
        started.order_id,
        started.error_number,
        started.root,
        started.expiry,
        started.strike,
        exact_sum(started.package_contracts) as package_contracts,
        exact_square_sum(started.variance) as variance,
    from started
    join states on states.state_at >= started.first_state_at
    group by all
),

fresh as (
    select
        states.state_at,
        parts.minute_at,
        parts.is_package,
        parts.order_id,
        parts.error_number,
        parts.root,
        parts.expiry,
        parts.strike,
        exact_sum(parts.package_contracts) as package_contracts,
        exact_square_sum(parts.variance) as variance,
    from parts
    join book.bar_states as states using (minute_at)
    where parts.minute_at > states.state_at
    group by all
),

together as (select * from known union all select * from fresh)

select
    state_at,
    minute_at,
    order_id,
    error_number,
    root,
    expiry,
    strike,
    is_package,
    case when is_package then package_contracts else sqrt(variance) end as doubtful_contracts,
from together
