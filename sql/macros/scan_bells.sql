-- Dealer gamma of all bells of one width at the nodes of the scan, in $M per index point.
-- bells: minute_at, spot, point, first_step (from which nodes count), d1, steepness (1 / s) and the
-- peaks of each book; nodes: node, step.
-- The cross product is on purpose: it runs through each bell's columns without looking anything up.

-- How many deviations a step of the scan, counted from the rounded spot, is from a bell's top.
create or replace macro scan_reach(d1, steepness, spot, point, step) as
    d1 + steepness * ln((round(spot / point) + step) * point / spot);

create or replace macro scan_bells(bells, nodes) as table
    with

    shifted as (
        select
            minute_at,
            first_step + node as node,
            inventory_peak,
            oi_peak,
            flow_peak,
            scan_reach(d1, steepness, spot, point, first_step + step) as reach,
        from query_table(bells)
        cross join (select node, step from query_table(nodes))
    ),

    shaped as (
        select *, exp(-0.5::double * reach * reach) as shape
        from shifted
        where abs(reach) < gamma_reach()
    )

    select
        minute_at,
        node,
        exact_sum(inventory_peak * shape) as inventory_musd,
        exact_sum(oi_peak * shape) as oi_musd,
        exact_sum(flow_peak * shape) as flow_musd,
    from shaped
    group by minute_at, node;
