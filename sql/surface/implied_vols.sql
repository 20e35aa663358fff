-- surface.implied_vols: volatility and gamma of every out-of-the-money quote, or why there is none.
-- A strike at the forward counts as a call. Minutes without a forward have no rows: without it no
-- side is out of the money.
-- grain: minute_et, root, expiry, strike, option_type
-- reads: surface.forwards, surface.quotes
with

otm_quotes as (
    select
        quotes.minute_et,
        quotes.root,
        quotes.expiry,
        quotes.strike,
        quotes.option_type,
        quotes.mid,
        forwards.spot,
        forwards.forward,
        forwards.discount,
        forwards.years,
        -- a market without a bid has no price, only a ceiling
        case when quotes.best_bid > 0 then quotes.mid end as price,
        case
            when quotes.best_bid is null or quotes.best_bid <= 0 then 'no_bid'
            when quotes.mid is null then 'crossed'
        end as quote_reason,
    from surface.quotes as quotes
    join surface.forwards as forwards using (minute_et, root, expiry)
    where quotes.option_type = case when quotes.strike < forwards.forward then 'P' else 'C' end
        and forwards.forward is not null
)

select
    minute_et,
    root,
    expiry,
    strike,
    option_type,
    mid,
    implied_vol,
    black76_gamma(spot, forward, strike, discount, implied_vol, years) as gamma,
    coalesce(quote_reason, refusal) as reason,
from black76_implied(otm_quotes)
