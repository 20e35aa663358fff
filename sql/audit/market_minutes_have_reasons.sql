-- audit.market_minutes_have_reasons: a position would be judged by a number nobody knew, or an
-- unknown one would be given no reason.
-- grain: minute_et
-- reads: ledger.market_minutes, tape.minutes
select minutes.minute_et
from tape.minutes as minutes
left join ledger.market_minutes as market using (minute_et)
where
    market.minute_et is null
    or (market.forward is null or market.expected_move_points is null)
        and market.smile_reason is null
    or (
            market.flip is null or market.call_wall is null or market.put_wall is null
            or market.net_gamma_musd_per_point is null
        )
        and market.level_reason is null
    or (market.flip_lo is null) <> (market.flip_hi is null)
    or (market.previous_close is null) <> (market.previous_close_reason is not null)
    or len(market.smile_strikes) <> len(market.smile_total_variances)
    or market.smile_strikes <> list_sort(market.smile_strikes)
