-- fold.order_sides: probability that the customer bought the order, that is its first leg, and the
-- reason why the quotes cannot decide; rules that forbid a side come in fold.order_signs. The
-- calibration gives how often orders of this evidence and price position went the way they lean.
-- z is the mean position in the quote, read_z that of the print which met the quote. The parameters
-- are FOLD_PARAMETERS of pipelines/build/fold.ts.
-- grain: parent_id
-- reads: fold.order_totals, fold.quote_trust, fold.side_calibration, fold.side_evidence
-- param: side_middle, side_minority, side_outside, side_probability_least
with

weighed as (
    select
        evidence.*,
        trust.is_stale,
        case
            when evidence.leaning = 0 then 0.5
            when evidence.leaning > 0 then calibration.probability
            else round(1 - calibration.probability, 4)
        end as side_probability
    from fold.side_evidence as evidence
    inner join fold.order_totals as totals using (parent_id)
    inner join fold.quote_trust as trust on trust.sequence = totals.first_sequence
    left join fold.side_calibration as calibration
        on calibration.evidence = evidence.evidence
        and calibration.price_position = evidence.price_position
)

select
    parent_id,
    z,
    side_probability,
    case
        when side_probability >= $side_probability_least::double then 1
        when side_probability <= 1 - $side_probability_least::double then -1
        else 0
    end as leaning,
    case
        when read_z is null and has_quote then 'locked'
        when read_z is null then 'no_quote'
        when is_stale then 'stale_quotes'
        when least(bought, sold) > $side_minority::double * (bought + sold)
            then 'fills_disagree'
        -- a floor combo may print outside the market by rule
        when abs(read_z) > $side_outside::double and evidence <> 'package floor combo'
            then 'outside'
        when side_probability is null then 'not_calibrated'
        when abs(read_z) < $side_middle::double then 'middle'
        when greatest(side_probability, 1 - side_probability) < $side_probability_least::double
            then 'undecided'
    end as reason
from weighed
