-- book.pair_flows: the session's signed flow of each traded strike as every minute knows it, how many
-- customers of its class buy included, its variance in contracts squared, and how the errors that
-- orders share would move it. The flow is null before the first order with a decided side.
-- grain: minute_at, pair_number
-- reads: book.balances, book.flows, book.pairs, tape.expiries, tape.minutes, tape.session
with

minutes as (
    select minute_at, row_number() over (order by minute_at) as minute_number
    from tape.minutes
),

arrivals as (
    select
        pairs.pair_number,
        flows.minute_at,
        sum(flows.dealer_quantity) filter (flows.option_type = 'C') as calls,
        sum(flows.dealer_quantity) filter (flows.option_type = 'P') as puts,
        count(flows.dealer_quantity) as decided_count,
        exact_square_sum(case when flows.option_type = 'C' then flows.variance end)
            as call_variance,
        exact_square_sum(case when flows.option_type = 'P' then flows.variance end)
            as put_variance,
        sum(flows.balance_quantity) filter (flows.option_type = 'C') as call_balance,
        sum(flows.balance_quantity) filter (flows.option_type = 'P') as put_balance,
        sum(flows.rate_quantity) filter (flows.option_type = 'C') as call_rate,
        sum(flows.rate_quantity) filter (flows.option_type = 'P') as put_rate
    from book.flows as flows
    inner join book.pairs as pairs using (root, expiry, strike)
    where flows.minute_at is not null
    group by all
),

-- summed where flow arrived, before it is spread over the minutes
totals as (
    select
        arrivals.pair_number,
        minutes.minute_number,
        lead(minutes.minute_number, 1, (select count(*) + 1 from minutes)) over in_time
            as next_number,
        sum(arrivals.decided_count) over in_time > 0 as is_decided,
        case when is_decided then coalesce(sum(arrivals.calls) over in_time, 0)::double end
            as call_flow,
        case when is_decided then coalesce(sum(arrivals.puts) over in_time, 0)::double end
            as put_flow,
        coalesce(sum(square_units(arrivals.call_variance)) over in_time, 0)::double / 1e6
            as call_variance,
        coalesce(sum(square_units(arrivals.put_variance)) over in_time, 0)::double / 1e6
            as put_variance,
        coalesce(sum(arrivals.call_balance) over in_time, 0)::double as call_balance,
        coalesce(sum(arrivals.put_balance) over in_time, 0)::double as put_balance,
        coalesce(sum(arrivals.call_rate) over in_time, 0)::double as call_rate,
        coalesce(sum(arrivals.put_rate) over in_time, 0)::double as put_rate
    from arrivals
    inner join minutes using (minute_at)
    window in_time as (
        partition by arrivals.pair_number order by minutes.minute_number
        rows unbounded preceding
    )
),

served as (
    select
        pair_number,
        unnest(range(minute_number, next_number)) as minute_number,
        call_flow,
        put_flow,
        call_variance,
        put_variance,
        call_balance,
        put_balance,
        call_rate,
        put_rate
    from totals
)

select
    minutes.minute_at,
    served.pair_number,
    served.call_flow + whole_contracts(calls.logit * served.call_balance)::double as call_flow,
    served.put_flow + whole_contracts(puts.logit * served.put_balance)::double as put_flow,
    served.call_variance,
    served.put_variance,
    served.call_balance,
    served.put_balance,
    served.call_rate,
    served.put_rate
from served
inner join minutes using (minute_number)
inner join book.pairs as pairs using (pair_number)
inner join tape.expiries as expiries using (root, expiry)
cross join tape.session as session
inner join book.balances as calls
    on calls.minute_at = minutes.minute_at
    and calls.flow_class = flow_class('C', expiries.ends_on = session.session_date)
inner join book.balances as puts
    on puts.minute_at = minutes.minute_at
    and puts.flow_class = flow_class('P', expiries.ends_on = session.session_date)
