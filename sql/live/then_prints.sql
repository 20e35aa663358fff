-- live.then_prints: the prints of each zone in each of its rounds, of those of the wide zones. A
-- wide zone has a round for every state at which one of its zones changed.
-- grain: sequence
-- reads: fold.known_rounds, fold.known_zones, fold.news_rounds, fold.news_zones, fold.prints_then
select
    prints.sequence,
    prints.own_sequence,
    zones.zone,
    rounds.round
from fold.prints_then as prints
inner join fold.news_zones as wide_zones on wide_zones.zone = prints.zone
inner join fold.news_rounds as wide_rounds
    on wide_rounds.zone = prints.zone and wide_rounds.round = prints.round
inner join fold.known_zones as zones
    on zones.world = wide_zones.world
    and epoch_us(prints.printed_at) between zones.from_us and zones.to_us
inner join fold.known_rounds as rounds
    on rounds.zone = zones.zone and rounds.until_state_at = wide_rounds.until_state_at
