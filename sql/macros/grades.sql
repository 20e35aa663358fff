-- Distances and spans by which published levels are graded: shares of the index, and minutes.

-- A level is touched where the index comes so near to it, and broken where it passes so far beyond.
create or replace macro touch_share() as 0.0005::double;
create or replace macro break_share() as 0.001::double;

-- It may be touched for so long after it was stated, and must hold for so long after the touch.
create or replace macro touch_minutes() as 60;
create or replace macro hold_minutes() as 30;

-- Strikes in a row of gamma that are graded, and strikes of small gamma next to each wall.
create or replace macro graded_ranks() as 5;
create or replace macro graded_controls() as 4;

-- The regime is graded over so many minutes.
create or replace macro regime_minutes() as 30;
