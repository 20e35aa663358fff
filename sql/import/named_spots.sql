-- import.named_spots: index values of the tape; a value that was imported before they had symbols
-- equals the same one with its symbol.
-- grain: that of import.existing
-- reads: import.existing, import.judged
with

named as (
    select session_date, spotted_at, spot, min(symbol) as symbol
    from import.judged
    group by session_date, spotted_at, spot
)

select existing.* replace (coalesce(existing.symbol, named.symbol) as symbol)
from import.existing as existing
left join named using (session_date, spotted_at, spot)
