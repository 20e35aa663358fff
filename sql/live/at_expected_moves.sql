-- live.at_expected_moves: what surface.expected_moves says of the states that are looked at, with
-- the session's own move, which is that of 09:31 for all states from there on.
-- grain: minute_et
-- reads: live.states, surface.expected_moves
select kept.* replace (
    case when kept.minute_et >= '09:31' then opening.expected_move_points end
        as session_expected_move_points
)
from surface.expected_moves as kept
semi join live.states using (minute_et)
left join surface.expected_moves as opening on opening.minute_et = '09:31'
