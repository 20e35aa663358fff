-- ln(S / spot) at the nodes of the confidence interval, one row a pricing and one column a node
-- ("0", "1", ...): pricing at every node then runs over columns, without any lookup.
-- states: state_at, state_spot; nodes: node_number, node, next_node, whose last one ends a cell alone.
create or replace macro bar_log_shifts(states, nodes) as table
    pivot (
        select
            state_at,
            node_number,
            ln(
                (round(state_spot / scan_point(state_spot)) + node)
                * scan_point(state_spot) / state_spot
            ) as log_shift
        from query_table(states)
        cross join (
            select node_number, node from query_table(nodes)
            union
            select node_number + 1, next_node from query_table(nodes)
        )
    )
    on node_number in (
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
    )
    using any_value(log_shift)
    group by state_at;
