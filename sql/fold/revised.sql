-- fold.revised: every version of the orders that news changed, with the instants between which it
-- was the known one. A version that no state ever knew is not here.
-- grain: order_id, visible_at
-- reads: fold.news, fold.news_rounds, fold.spans
with

dated as (
    select
        spans.*,
        greatest(spans.folded.visible_at, before.until_at) as visible_at,
        after.until_at as superseded_at,
        after.has_late_print,
        spans.first_round > 1 or after.until_at is not null as is_revised
    from fold.spans as spans
    left join fold.news_rounds as before
        on before.zone = spans.zone and before.round = spans.first_round - 1
    left join fold.news_rounds as after
        on after.zone = spans.zone and after.round = spans.last_round
),

-- versions of which a print was cancelled; the others lie near a late print or a cancel
cancelled as (
    select distinct order_id, first_round
    from (
        select
            order_id,
            first_round,
            superseded_at,
            unnest(prints).sequence as sequence
        from dated
        where superseded_at is not null
    ) as members
    inner join fold.news as news using (sequence)
    where news.news = 'cancel' and state_after(news.known_at) = state_after(members.superseded_at)
)

select
    dated.order_id,
    dated.visible_at,
    dated.superseded_at,
    case
        when dated.superseded_at is null then null
        when dated.has_late_print and cancelled.order_id is null then 'late_print'
        else 'cancel'
    end as superseded_by,
    row_number() over (partition by dated.order_id order by dated.visible_at)::integer
        as revision_number,
    dated.folded,
    dated.legs,
    dated.prints
from dated
left join cancelled using (order_id, first_round)
where dated.is_revised
    and (
        dated.superseded_at is null
        or state_after(dated.visible_at) < state_after(dated.superseded_at)
    )
