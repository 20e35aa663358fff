-- fold.order_sides: probability that the customer bought the order, that is its first leg, and the
-- reason why the quotes cannot decide; rules that forbid a side come in fold.order_signs. The rate
-- of its kind says how often an order at the quote goes the way its price leans; towards the middle
-- it fades. side_deviation is what one standard deviation of that rate moves the probability, on the
-- logit scale. z is the mean position in the quote, read_z that of the print which met it. The
-- parameters are FOLD_PARAMETERS of pipelines/build/fold.ts.
-- grain: parent_id
-- reads: fold.order_totals, fold.quote_trust, fold.side_evidence, fold.side_rates
-- param: side_middle, side_minority, side_outside, side_probability_least
with

weighed as (
    select
        evidence.*,
        trust.is_stale,
        round(right_share(rates.rate, evidence.read_z), 4) as right_share,
        case when evidence.read_z < 0 then round(1 - right_share, 4) else right_share end
            as side_probability,
        round(sign(evidence.read_z) * rates.deviation * side_shape(evidence.read_z), 4)
            as side_deviation
    from fold.side_evidence as evidence
    inner join fold.order_totals as totals using (parent_id)
    inner join fold.quote_trust as trust on trust.sequence = totals.first_sequence
    inner join fold.side_rates as rates using (kind, size_class)
)

select
    parent_id,
    z,
    side_probability,
    side_deviation,
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
        when abs(read_z) > $side_outside::double and not may_be_outside then 'outside'
        when abs(read_z) < $side_middle::double then 'middle'
        when greatest(side_probability, 1 - side_probability) < $side_probability_least::double
            then 'undecided'
    end as reason
from weighed
