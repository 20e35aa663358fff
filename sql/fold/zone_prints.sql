-- fold.zone_prints: the prints of the zones as they stand, as the round after the last.
-- grain: sequence
-- reads: fold.contracts, fold.kept_prints, fold.news_rounds, fold.news_zones
with

zones as (
    select
        zones.zone,
        any_value(zones.world) as world,
        any_value(zones.from_us) as from_us,
        any_value(zones.to_us) as to_us,
        max(rounds.round) + 1 as round
    from fold.news_zones as zones
    inner join fold.news_rounds as rounds using (zone)
    group by zones.zone
),

-- minutes make the search for prints in a zone a join of equals
zone_minutes as (
    select *, unnest(range(from_us // 60000000, to_us // 60000000 + 1)) as minute_number
    from zones
)

select
    prints.sequence,
    prints.sequence as own_sequence,
    zones.zone,
    zones.round
from fold.kept_prints as prints
inner join fold.contracts as contracts using (contract_number)
inner join zone_minutes as zones
    on zones.minute_number = prints.printed_us // 60000000
    and prints.printed_us between zones.from_us and zones.to_us
    and zones.world = news_world(
        prints.print_class,
        prints.is_multi_leg,
        prints.condition,
        contracts.root,
        contracts.expiry,
        contracts.strike,
        contracts.option_type
    )
where is_on_tape(prints.sequence)
