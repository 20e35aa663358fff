-- live.trust_prints: the prints by which the quotes of the newest ones are judged.
-- grain: sequence
-- reads: live.span, tape.prints
select prints.*
from tape.prints as prints
cross join live.span as span
where prints.known_at >= span.trust_from
order by prints.printed_at, prints.sequence
