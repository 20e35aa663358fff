-- surface.implied_vols: volatility of every out-of-the-money quote, or why there is none.
-- Minutes without a forward have no rows: without it no
-- side is out of the money.
-- grain: term_number, strike
-- reads: surface.forwards, surface.quotes
with

-- a strike at the forward counts as a call
otm_quotes as (
    select
        forwards.term_number,
        quotes.strike,
        if(quotes.strike < forwards.forward, 'P', 'C') as option_type,
        if(option_type = 'P', quotes.put_bid, quotes.call_bid) as best_bid,
        if(option_type = 'P', quotes.put_ask, quotes.call_ask) as best_ask,
        if(option_type = 'P', quotes.put_quoted_at, quotes.call_quoted_at) as quoted_at,
        quote_mid(best_bid, best_ask) as mid,
        forwards.forward,
        forwards.discount,
        forwards.years,
        -- a market without a bid has no price, only a ceiling
        case when best_bid > 0 then mid end as time_value,
        black76_otm_refusal(
            time_value, forwards.forward, quotes.strike, forwards.discount, forwards.years
        ) as refused_for,
        case
            when best_bid is null or best_bid <= 0 then 'no_bid'
            when mid is null then 'crossed'
        end as quote_reason
    from surface.quotes as quotes
    inner join surface.forwards as forwards using (term_number)
    where forwards.forward is not null
)

select
    term_number,
    strike,
    option_type,
    implied_vol,
    coalesce(quote_reason, refusal) as reason
from implied_by_time_value('otm_quotes')
where quoted_at is not null
