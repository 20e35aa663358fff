-- fold.editions: every order in every version that was ever known: current ones, and those
-- superseded by a late print or a cancel. The edition number identifies a version; the current one
-- has the number of the order's first print.
-- grain: edition_id
-- kind: view
-- reads: fold.parent_orders, fold.revised
with

current_orders as (
    select
        orders.* replace (coalesce(revised.visible_at, orders.visible_at) as visible_at),
        orders.first_sequence as edition_id,
        coalesce(revised.revision_number, 1)::integer as revision_number,
        null::timestamp as superseded_at,
        null::varchar as superseded_by
    from fold.parent_orders as orders
    left join fold.revised as revised
        on revised.folded.first_sequence = orders.first_sequence and revised.superseded_at is null
    where is_on_tape(orders.first_sequence)
),

superseded as (
    select
        unnest(folded),
        edition_number(folded.first_sequence, revision_number) as edition_id,
        visible_at as known_from,
        revision_number,
        superseded_at,
        superseded_by
    from fold.revised
    where superseded_at is not null
)

select * from current_orders
union all by name
select * exclude (known_from) replace (known_from as visible_at) from superseded
