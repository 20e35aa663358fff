-- fold.news_rounds: the states at which a zone changed, numbered: what was folded in round 1 held
-- until the first of them, and so on.
-- grain: zone, round
-- reads: fold.news, fold.news_zones
select
    zones.zone,
    row_number() over (partition by zones.zone order by state_after(news.known_at))::integer
        as round,
    -- the first state that knows better
    state_after(news.known_at) as until_state_at,
    max(news.known_at) as until_at,
    bool_or(news.news = 'late_print') as has_late_print
from fold.news as news
inner join fold.news_zones as zones
    on zones.world = news.world
    and epoch_us(news.printed_at) between zones.first_us and zones.last_us
group by zones.zone, state_after(news.known_at)
