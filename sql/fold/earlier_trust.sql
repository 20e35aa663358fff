-- fold.earlier_trust: quote trust of the prints of the rounds, unchanged by late data.
-- grain: sequence
-- reads: fold.earlier_prints, fold.quote_trust
select
    prints.sequence,
    trust.known_at,
    trust.is_judged,
    trust.judged_count,
    trust.outside_count,
    trust.is_stale
from fold.earlier_prints as prints
inner join fold.quote_trust as trust on trust.sequence = prints.own_sequence
