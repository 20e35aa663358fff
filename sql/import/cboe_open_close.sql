-- import.cboe_open_close: Cboe DataShop "Open-Close Volume Summary", of a day or of ten minutes: how
-- many contracts each class of traders bought and sold. Market makers neither open nor close. A row
-- of ten minutes has a time, ET, and the sums of the day up to it; its open interest is not filled.
-- grain: line_number
-- reads: import.rows
with

checked as (
    select
        *,
        list_value(*columns('.*_vol$')) as cells,
        json_keys(to_json(struct_pack(*columns('.*_vol$')))) as names,
        list_position(
            list_transform(cells, lambda cell: coalesce(whole_number(cell) >= 0, false)), false
        ) as faulty_cell
    from import.rows
),

typed as (
    select
        line_number,
        row_reason,
        case
            when faulty_cell > 0 then format('{} is {}; give whole contracts such as 120',
                names[faulty_cell], coalesce(left(cells[faulty_cell], 40), 'missing'))
            when quote_datetime is null and open_interest is not null
                and coalesce(whole_number(open_interest) < 0, true)
                then format('open_interest is {}; give whole contracts such as 4200',
                    left(open_interest, 40))
        end as cell_reason,
        quote_date,
        quote_datetime,
        root,
        expiration,
        strike,
        option_type,
        case when quote_datetime is null then whole_number(open_interest) end as open_interest,
        whole_number(trade_volume)::double as traded,
        try_cast(columns('(.*_(?:vol|qty))$') as double) as '\1'
    from checked
)

select
    line_number,
    coalesce(row_reason, case
        when quote_datetime is null and stated_date(quote_date) is null
            then format('quote_date is {}; give a day such as 2026-10-14',
                coalesce(left(quote_date, 40), 'missing'))
        when coalesce(iso_wall(quote_datetime), iso_instant(quote_datetime)) is null
            and quote_datetime is not null
            then format('quote_datetime is {}; give a time such as 2026-10-14 16:20:00',
                left(quote_datetime, 40))
    end) as row_reason,
    cell_reason,
    null::varchar as skip_reason,
    case when quote_datetime is null then stated_date(quote_date) end as session_date,
    iso_instant(quote_datetime) as instant_at,
    iso_wall(quote_datetime) as wall_at,
    root,
    stated_date(expiration) as expiry,
    try_cast(strike as double) as strike,
    option_type,
    mm_buy_vol as mm_bought,
    mm_sell_vol as mm_sold,
    firm_open_buy_vol + firm_close_buy_vol as firm_bought,
    firm_open_sell_vol + firm_close_sell_vol as firm_sold,
    bd_open_buy_vol + bd_close_buy_vol as bd_bought,
    bd_open_sell_vol + bd_close_sell_vol as bd_sold,
    list_sum(list_value(*columns('.*_buy_vol$'))) as bought,
    list_sum(list_value(*columns('.*_sell_vol$'))) as sold,
    list_sum(list_value(*columns('.*_open_buy_vol$'))) as opened,
    list_sum(list_value(*columns('.*_close_sell_vol$'))) as closed,
    list_sum(list_value(*columns('.*_qty$'))) as trades,
    traded,
    open_interest
from typed
