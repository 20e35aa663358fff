-- live.zones_outside: the zones that do not lie in a wide one.
-- grain: zone
-- reads: fold.known_zones, fold.news_zones
select zones.zone
from fold.known_zones as zones
anti join fold.news_zones as wide_zones
    on wide_zones.world = zones.world
    and wide_zones.first_us <= zones.first_us
    and wide_zones.last_us >= zones.last_us
    and wide_zones.from_us <= zones.from_us
    and wide_zones.to_us >= zones.to_us
