-- fold.editions: every order in every version that was ever known: those that stand, and those that
-- a late print or a cancel took the place of. What stands has the name of its order.
-- grain: edition_id
-- reads: fold.parent_orders, fold.revised
with

stand as (
    select
        orders.* replace (coalesce(revised.visible_at, orders.visible_at) as visible_at),
        orders.order_id as edition_id,
        coalesce(revised.revision_number, 1)::integer as revision_number,
        null::timestamp as superseded_at,
        null::varchar as superseded_by
    from fold.parent_orders as orders
    left join fold.revised as revised
        on revised.order_id = orders.order_id and revised.superseded_at is null
),

superseded as (
    select
        unnest(folded),
        order_id || '~' || revision_number as edition_id,
        visible_at as known_from,
        revision_number,
        superseded_at,
        superseded_by
    from fold.revised
    where superseded_at is not null
)

select * from stand
union all by name
select * exclude (known_from) replace (known_from as visible_at) from superseded
