-- fold.revised: every version of the orders that news changed, with the instants between which it
-- was the known one: of the news within its reach. A version that no state ever knew is not here.
-- grain: order_id, visible_at
-- reads: fold.news, fold.news_rounds, fold.news_zones, fold.spans
-- param: reach_slow_us, reach_us
with

zone_news as (
    select
        rounds.zone,
        rounds.round,
        news.sequence,
        news.news = 'late_print' as is_late_print,
        epoch_us(news.printed_at) as printed_us,
        news.known_at,
        case when news.is_slow then $reach_slow_us::bigint else $reach_us::bigint end as reach_us
    from fold.news as news
    inner join fold.news_zones as zones
        on zones.world = news.world
        and epoch_us(news.printed_at) between zones.first_us and zones.last_us
    inner join fold.news_rounds as rounds
        on rounds.zone = zones.zone and rounds.until_state_at = state_after(news.known_at)
),

near as (
    select
        spans.zone,
        spans.order_id,
        spans.first_round,
        zone_news.round,
        max(zone_news.known_at) as known_at,
        bool_or(zone_news.is_late_print) as has_late_print,
        bool_or(
            not zone_news.is_late_print
            and list_contains([x.sequence for x in spans.prints], zone_news.sequence)
        ) as is_cancelled
    from fold.spans as spans
    inner join zone_news
        on zone_news.zone = spans.zone
        and zone_news.round in (spans.first_round - 1, spans.last_round)
        and zone_news.printed_us
            between epoch_us(spans.folded.printed_at) - zone_news.reach_us
            and epoch_us(spans.folded.last_printed_at) + zone_news.reach_us
    group by all
),

dated as (
    select
        spans.*,
        -- an order may change far from the news: at the other end of a chain of fills
        greatest(
            spans.folded.visible_at, coalesce(near_before.known_at, before.until_at)
        ) as visible_at,
        coalesce(near_after.known_at, after.until_at) as superseded_at,
        coalesce(near_after.has_late_print, after.has_late_print) as has_late_print,
        coalesce(near_after.is_cancelled, false) as is_cancelled,
        spans.first_round > 1 or after.until_at is not null as is_revised
    from fold.spans as spans
    left join fold.news_rounds as before
        on before.zone = spans.zone and before.round = spans.first_round - 1
    left join fold.news_rounds as after
        on after.zone = spans.zone and after.round = spans.last_round
    left join near as near_before
        on near_before.zone = spans.zone and near_before.order_id = spans.order_id
        and near_before.first_round = spans.first_round
        and near_before.round = spans.first_round - 1
    left join near as near_after
        on near_after.zone = spans.zone and near_after.order_id = spans.order_id
        and near_after.first_round = spans.first_round
        and near_after.round = spans.last_round
)

select
    order_id,
    visible_at,
    superseded_at,
    case
        when superseded_at is null then null
        when has_late_print and not is_cancelled then 'late_print'
        else 'cancel'
    end as superseded_by,
    row_number() over (partition by order_id order by visible_at)::integer as revision_number,
    folded,
    legs,
    prints
from dated
where is_revised
    and (superseded_at is null or state_after(visible_at) < state_after(superseded_at))
