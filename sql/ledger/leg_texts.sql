-- ledger.leg_texts: the contracts of an order in words, such as `5930/5950P 6050/6070C`.
-- grain: order_id
-- reads: fold.legs
with

second_legs as (
    select order_id from fold.legs where leg_number = 2
),

-- most orders: there is nothing to gather
singles as (
    select
        order_id,
        strike_text(strike) || option_type
        || case when ratio <> 1 then ' ' || ratio else '' end as legs_text
    from fold.legs
    anti join second_legs using (order_id)
),

packages as (
    select *
    from fold.legs
    semi join second_legs using (order_id)
),

-- AM and PM contracts of one Friday are different expiries
expiries as (
    select
        order_id,
        count(distinct (root, expiry)) as expiry_count,
        count(distinct expiry) as date_count,
        bool_or(ratio <> 1) as has_ratios
    from packages
    group by order_id
),

strike_groups as (
    select
        order_id,
        root,
        expiry,
        option_type,
        min(strike) as lowest_strike,
        string_agg(strike_text(strike), '/' order by strike) || option_type as strikes,
        string_agg(ratio::varchar, 'x' order by strike) as ratios
    from packages
    group by order_id, root, expiry, option_type
),

dated as (
    select
        strike_groups.*,
        expiries.has_ratios,
        case
            when expiries.expiry_count = 1 then strikes
            when expiries.date_count = expiries.expiry_count then expiry || ' ' || strikes
            else root || ' ' || expiry || ' ' || strikes
        end as words
    from strike_groups
    inner join expiries using (order_id)
)

select order_id, legs_text from singles
union all
select
    order_id,
    string_agg(words, ' ' order by expiry, root, lowest_strike, option_type)
    || case
        when any_value(has_ratios)
            then ' ' || string_agg(
                ratios, 'x' order by expiry, root, lowest_strike, option_type
            )
        else ''
    end as legs_text
from dated
group by order_id
