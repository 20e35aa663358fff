-- surface.sources: from when on the tape has minute quotes, and the index; null: never. Until then
-- its states have what the prints carry.
-- grain: one row
-- reads: tape.quotes, tape.spots
select
    (select min(known_at) from tape.quotes) as quotes_from,
    (select min(known_at) from tape.spots) as spots_from,
