-- levels.spot_deviations: one standard deviation of net dealer gamma at the spot, and the share of
-- its variance that rests on open interest alone. The convention, book 'oi', has neither.
-- grain: minute_at, book_basis
-- reads: book.bar_deviations, book.bar_nodes, book.bar_states, surface.spots
with

steps as (
    select
        spots.minute_at,
        (
            round(spots.spot / scan_point(states.state_spot))
            - round(states.state_spot / scan_point(states.state_spot))
        )::integer as priced_step
    from surface.spots as spots
    inner join book.bar_states as states using (minute_at)
    where spots.spot is not null
),

-- in two joins: a plan made without counts joins all minutes with all nodes
node_steps as materialized (
    select steps.minute_at, nodes.node, nodes.next_node, nodes.next_share
    from steps
    inner join book.bar_nodes as nodes
        on nodes.step = least(greatest(steps.priced_step, -scan_steps()), scan_steps())
),

low as materialized (
    select
        node_steps.*,
        deviations.book_basis,
        deviations.deviation_musd,
        deviations.guess_variance
    from node_steps
    inner join book.bar_deviations as deviations using (minute_at, node)
)

select
    low.minute_at,
    low.book_basis,
    low.deviation_musd + low.next_share * (high.deviation_musd - low.deviation_musd)
        as deviation_musd,
    coalesce(
        (low.guess_variance + low.next_share * (high.guess_variance - low.guess_variance))
        / nullif(square(low.deviation_musd
            + low.next_share * (high.deviation_musd - low.deviation_musd)), 0),
        0
    ) as guess_share
from low
inner join book.bar_deviations as high
    on high.minute_at = low.minute_at
    and high.book_basis = low.book_basis
    and high.node = low.next_node
