-- book.balances: how many of the customers of a class buy, as every minute knows it: on the logit
-- scale what is estimated, 0 where they buy as often as they sell, and the variance left. An order
-- that leans by 2p - 1 says so much of its class, with the square of that for its weight; before the
-- first the share of buyers is one half, give or take balance_deviation().
-- grain: minute_at, flow_class
-- reads: book.flows, tape.expiries, tape.minutes, tape.session
with

arrivals as (
    select
        flow_class(flows.option_type, expiries.ends_on = session.session_date) as flow_class,
        flows.minute_at,
        sum(flows.lean) as lean,
        sum(flows.lean_square) as lean_square
    from book.flows as flows
    inner join tape.expiries as expiries using (root, expiry)
    cross join tape.session as session
    where flows.minute_at is not null
    group by all
),

totals as (
    select
        flow_class,
        minute_at,
        (sum(lean) over in_time)::double as lean,
        (sum(lean_square) over in_time)::double as lean_square
    from arrivals
    window in_time as (partition by flow_class order by minute_at)
),

classes as (select unnest(['C', 'P', 'C 0dte', 'P 0dte']) as flow_class)

select
    minutes.minute_at,
    classes.flow_class,
    balance_logit(coalesce(totals.lean, 0), coalesce(totals.lean_square, 0)) as logit,
    balance_variance(coalesce(totals.lean_square, 0)) as variance
from tape.minutes as minutes
cross join classes
asof left join totals
    on totals.flow_class = classes.flow_class and totals.minute_at <= minutes.minute_at
