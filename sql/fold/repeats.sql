-- fold.repeats: the matches that are used, piece by piece. A match is used whole or not at all: the
-- legs of half a match would have no package. A package that lies in several islands is torn apart
-- only along matches of one package that hold all of it; two fills that printed near each other may
-- have been read crosswise as one. A match that shares a piece with an unused one is not used.
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
    select other_matches.island
    from refused
    inner join matched using (island)
    inner join matched as other_matches on other_matches.piece_id = matched.piece_id
)

select matched.island, matched.piece_id, matched.leg_count, matched.unit
from matched
anti join refused using (island)
