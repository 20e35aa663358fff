-- live.moves_now: what surface.expected_moves says of the new states, with the session's own move,
-- which is that of the opening minute for all states from there on.
-- grain: minute_et
-- reads: live.new_minutes, surface.expected_moves
select kept.* replace (
    session_move(kept.minute_et, opening.expected_move_points) as session_expected_move_points
)
from surface.expected_moves as kept
semi join live.new_minutes using (minute_et)
left join surface.expected_moves as opening on opening.minute_et = opening_minute()
