-- The minute whose expected move and surface serve the rest of the session.
create or replace macro opening_minute() as '09:31';

-- The move that a minute has of it: none before it.
create or replace macro session_move(minute_et, opening_move) as
    case when minute_et >= opening_minute() then opening_move end;
