-- live.trust_prints: the prints by which the quotes of the newest ones are judged.
-- grain: sequence
-- reads: tape.prints
-- param: from_us
select *
from tape.prints
where known_at >= make_timestamp($from_us::bigint)
order by printed_at, sequence
