-- ln(S / spot) at the nodes of the scan, one row for each minute, width class and block, one column
-- a slot ("0", "1", ...): evaluation at every node then runs over columns, without any lookup.
-- spots: minute_at, spot, point; nodes: width_class, block, slot, step.
create or replace macro scan_log_shifts(spots, nodes) as table
    pivot (
        select
            minute_at,
            width_class,
            block,
            slot,
            ln((round(spot / point) + step) * point / spot) as log_shift
        from query_table(spots)
        cross join query_table(nodes)
    )
    on slot in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    using any_value(log_shift)
    group by minute_at, width_class, block;
