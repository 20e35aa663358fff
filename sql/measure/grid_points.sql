-- measure.grid_points: at how many steps of the index each minute's book is known.
-- grain: one row
-- reads:
select 2 * scan_steps() + 1 as grid_points
