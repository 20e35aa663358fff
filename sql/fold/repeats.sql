-- fold.repeats: what is taken of the matches, piece by piece: a match whole or not at all, for the
-- legs of half a match would have no package. A package that lies in several islands is torn apart
-- only along matches of one package that hold all of it; two fills that printed near each other may
-- have been read as one, crosswise. A match that shares a piece with one that is not taken, is not.
-- grain: island, piece_id
-- reads: fold.repeat_islands, fold.repeat_matches
with recursive

matched as (
    select island, package_key, leg_count, unit, unnest(pieces) as piece_id
    from fold.repeat_matches
),

spread as (
    select piece_id, count(distinct island) as island_count
    from fold.repeat_islands
    semi join matched using (piece_id)
    group by piece_id
),

torn as (
    select matched.piece_id
    from matched
    inner join spread using (piece_id)
    group by matched.piece_id
    having
        count(*) < any_value(spread.island_count)
        or count(distinct matched.package_key) > 1
),

refused as (
    select island from matched semi join torn using (piece_id)
    union
    select others.island
    from refused
    inner join matched using (island)
    inner join matched as others on others.piece_id = matched.piece_id
)

select matched.island, matched.piece_id, matched.leg_count, matched.unit
from matched
anti join refused using (island)
