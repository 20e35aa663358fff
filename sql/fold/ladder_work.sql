-- fold.ladder_work: how much is left for a pass of the ladder; a pass without islands is skipped.
-- grain: island_prints
-- reads: fold.fill_prints, fold.islands
select
    (select count(*)::integer from fold.islands) as island_prints,
    (select count(*)::integer from fold.fill_prints) as fill_prints
