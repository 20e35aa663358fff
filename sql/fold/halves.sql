-- fold.halves: the parts that were joined, two and two.
-- grain: piece_id
-- reads: fold.joins
with

-- a piece may be the later half of one join and the earlier half of another: only whole chains
-- of two are taken, the rest meets in the next round
singled as (
    select * from fold.joins
    qualify count(*) over (partition by piece_id) = 1
)

select * from singled
qualify count(*) over (partition by fill_id) = 2
