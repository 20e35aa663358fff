-- The nodes at both ends of each cell: node_number, node, next_node.
create or replace macro bar_nodes_of(cells) as table
    select node_number, node from query_table(cells)
    union
    select node_number + 1, next_node from query_table(cells);

-- ln(S / spot) at the nodes of the confidence interval, one row a pricing and one column a node
-- ("0", "1", ...): pricing at every node then runs over columns, without any lookup.
-- states: state_at, state_spot; cells: node_number, node, next_node.
create or replace macro bar_log_shifts(states, cells) as table
    pivot (
        select
            state_at,
            node_number,
            ln(
                (round(state_spot / scan_point(state_spot)) + node)
                * scan_point(state_spot) / state_spot
            ) as log_shift
        from (select distinct state_at, state_spot from query_table(states))
        cross join bar_nodes_of(cells)
    )
    on node_number in (
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
    )
    using any_value(log_shift)
    group by state_at;
