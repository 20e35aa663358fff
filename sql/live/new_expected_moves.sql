-- live.new_expected_moves: the rows of surface.expected_moves for the new states, with the
-- session's own move: that of the opening minute for all states from there on.
-- grain: minute_et
-- reads: live.new_minutes, surface.expected_moves
select moves.* replace (
    session_move(moves.minute_et, opening.expected_move_points) as session_expected_move_points
)
from surface.expected_moves as moves
semi join live.new_minutes using (minute_et)
left join surface.expected_moves as opening on opening.minute_et = opening_minute()
