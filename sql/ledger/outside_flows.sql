-- ledger.outside_flows: contracts that the prints outside of the session's hours added to the dealers'
-- position on average, the variance of that, and how many traded. They are not folded into orders: a print at or
-- through the quote that it met is read as a single order is, any other as undecided.
-- grain: root, expiry, strike, option_type
-- reads: fold.print_fates, tape.prints
with

sided as (
    select
        prints.root,
        prints.expiry,
        prints.strike,
        prints.option_type,
        prints.size,
        case
            when prints.best_bid >= prints.best_ask then 0
            when prints.price >= prints.best_ask then 1
            when prints.price <= prints.best_bid then -1
            else 0
        end as customer_sign,
        bought_share(null, customer_sign) as bought_share,
        -2 * prints.size * bought_share * (1 - bought_share) as logit_quantity
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    where fates.fate = 'outside_hours'
)

select
    root,
    expiry,
    strike,
    option_type,
    sum(whole_contracts(size * (1 - 2 * bought_share)))::decimal(18, 4) as dealer_quantity,
    exact_square_sum(4 * bought_share * (1 - bought_share) * square(size::double)) as variance,
    sum(size)::bigint as contracts,
    sum(whole_contracts(logit_quantity))::decimal(18, 4) as balance_quantity,
    sum(whole_contracts(customer_sign * logit_quantity * rate_deviation()))::decimal(18, 4)
        as rate_quantity
from sided
group by root, expiry, strike, option_type
