-- The fault of a strike, given the index or underlying of its row, null where there is none; null
-- when it can be that of an option. Real chains of SPX go from a 45th of the index (100 at 4,505) to
-- three times it, so a tenth would refuse them; volatility indices have strikes further above.
create or replace macro strike_fault(strike, spot) as
    case
        when coalesce(not (strike > 0 and isfinite(strike)), true)
            then 'strike is not a number above 0'
        when strike > 100000
            then 'strike is ' || strike || ', which no option of an index has; '
                || 'give index points, such as 5900, not thousandths'
        when spot > 0 and (strike > 50 * spot or strike < spot / 200)
            then 'strike is ' || strike || ', which no option has at an index of '
                || spot || '; give both in index points, such as 5900 and 5918.25'
    end;
