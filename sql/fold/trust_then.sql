-- fold.trust_then: what was known of the quotes beside the prints of the rounds: news changes it
-- for no print.
-- grain: sequence
-- reads: fold.prints_then, fold.quote_trust
select
    prints.sequence,
    trust.known_at,
    trust.is_judged,
    trust.judged_count,
    trust.outside_count,
    trust.is_stale
from fold.prints_then as prints
inner join fold.quote_trust as trust on trust.sequence = prints.own_sequence
