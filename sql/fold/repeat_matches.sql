-- fold.repeat_matches: the largest known package whose contracts an island holds in its ratio. A
-- match takes all that its island has of a piece; fold.repeats resolves pieces that lie in several
-- islands.
-- grain: island
-- reads: fold.repeat_islands, fold.repeat_templates, fold.repeat_totals
with

-- buckets make the search for neighbours in time an equality join
bucketed as (
    select
        *,
        unnest([
            first_us // order_gap_us - 1,
            first_us // order_gap_us,
            first_us // order_gap_us + 1
        ]) as bucket
    from fold.repeat_templates
),

candidates as (
    select
        totals.island,
        templates.template_id,
        any_value(templates.package_key) as package_key,
        any_value(templates.leg_count) as leg_count,
        min(totals.contracts // templates.ratio) as unit
    from bucketed as templates
    inner join fold.repeat_totals as totals
        on totals.stream = templates.stream
        and totals.contract_number = templates.contract_number
        and totals.first_us // totals.order_gap_us = templates.bucket
        and abs(totals.first_us - templates.first_us) <= templates.order_gap_us
    group by totals.island, templates.template_id
    having
        count(*) = any_value(templates.leg_count)
        and bool_and(totals.contracts % templates.ratio = 0)
        and min(totals.contracts // templates.ratio) = max(totals.contracts // templates.ratio)
),

matched_pieces as (
    select
        candidates.island,
        candidates.template_id,
        candidates.package_key,
        candidates.leg_count,
        candidates.unit,
        islands.piece_id,
        bool_and(templates.contract_number is not null) as is_whole
    from candidates
    inner join fold.repeat_islands as islands using (island)
    left join fold.repeat_templates as templates
        on templates.template_id = candidates.template_id
        and templates.contract_number = islands.contract_number
    group by all
    having bool_or(templates.contract_number is not null)
),

whole as (
    select
        island,
        template_id,
        any_value(package_key) as package_key,
        leg_count,
        unit,
        count(*) as piece_count,
        list(piece_id) as pieces
    from matched_pieces
    group by island, template_id, leg_count, unit
    having bool_and(is_whole) and count(*) > 1
)

select island, template_id, package_key, leg_count, unit, pieces
from whole
qualify row_number() over (
    partition by island order by leg_count desc, piece_count desc, template_id
) = 1
