-- fold.whole_islands: islands that are one plain package without any cut.
-- grain: package_id
-- reads: fold.islands, fold.pass
with

island_prints as (
    select
        island as package_id, contract_number, size, cash_cents, is_penny, printed_us, gap_scale
    from fold.islands
),

islands as (
    select
        island,
        any_value(island_prints) as print_count,
        any_value(island_loose_cost) as loose_cost
    from fold.islands
    group by island
)

select
    judged.package_id,
    judged.cost_thousandths,
    judged.unit,
    judged.leg_count
from judged_packages('island_prints') as judged
inner join islands on islands.island = judged.package_id
cross join fold.pass as pass
where judged.cost_thousandths < islands.loose_cost
    and (judged.evidence <> 'weak' or pass.is_weak_allowed)
    -- two prints cannot be split any better
    and (judged.rarity <= pass.plain_rarity or islands.print_count = 2)
