-- book.coverage: share of each book's gamma that could be priced at a minute, of all expiries and of
-- each bucket of them. An expiry without a
-- forward or a smile is estimated: its forward at the spot, its volatility that at the money of the
-- nearest expiry that has one. A book with too little priced has no levels: the remainder may have
-- the other sign.
-- grain: minute_at, book_basis, bucket
-- reads: book.expiry_buckets, book.gammas, book.holdings, book.pair_flows, book.pairs, surface.forwards, surface.smiles, surface.terms, tape.minutes
with

terms as (
    select terms.*
    from surface.terms as terms
    semi join tape.minutes using (minute_at)
    where terms.seconds_left > 0 and terms.spot is not null
),

priced as (
    select forwards.minute_at, forwards.term_number, forwards.years
    from surface.forwards as forwards
    semi join surface.smiles using (term_number)
    where forwards.forward is not null and forwards.years > 0
),

nearest as (
    select minute_at, min(years) as years, arg_min(term_number, (years, term_number)) as term_number
    from priced
    group by minute_at
),

volatilities as (
    select
        nearest.minute_at,
        sqrt(
            arg_min(smiles.total_variance, abs(smiles.log_moneyness)) / any_value(nearest.years)
        ) as volatility
    from surface.smiles as smiles
    inner join nearest using (term_number)
    group by nearest.minute_at
),

lost as (
    select
        terms.minute_at,
        coalesce(buckets.bucket, 'later') as bucket,
        volatilities.volatility * sqrt(terms.years) as deviation,
        gamma_peak_musd(terms.spot, terms.spot, 1.0::double, deviation)
        * gamma_shape(
            log_moneyness(terms.spot, pairs.strike) / deviation + 0.5::double * deviation,
            1 / deviation,
            0::double
        ) as unit_musd,
        coalesce(
            holdings.listed, abs(holdings.call_inventory) + abs(holdings.put_inventory)
        ) as inventory,
        abs(holdings.call_oi) + abs(holdings.put_oi) as oi,
        coalesce(abs(flows.call_flow) + abs(flows.put_flow), 0) as flow
    from terms
    anti join priced using (term_number)
    inner join book.pairs as pairs
        on pairs.root = terms.root
        and pairs.expiry = terms.expiry
    inner join book.holdings as holdings
        on holdings.pair_number = pairs.pair_number
        and terms.minute_at >= holdings.enters_at
        and terms.minute_at < holdings.leaves_at
    left join book.expiry_buckets as buckets
        on buckets.minute_at = terms.minute_at and buckets.expiry = terms.expiry
    left join volatilities on volatilities.minute_at = terms.minute_at
    left join book.pair_flows as flows
        on flows.minute_at = terms.minute_at and flows.pair_number = pairs.pair_number
),

amounts as (
    select
        minute_at,
        bucket,
        coalesce(listed_musd, abs(call_inventory_musd) + abs(put_inventory_musd))
            as inventory_musd,
        gross_oi_musd as oi_musd,
        coalesce(gross_flow_musd, 0) as flow_musd,
        true as is_priced,
        false as has_inventory,
        false as has_oi,
        false as has_flow
    from book.gammas
    union all
    select
        minute_at,
        unnest(['all', bucket]),
        inventory * unit_musd,
        oi * unit_musd,
        flow * unit_musd,
        false,
        inventory > 0,
        oi > 0,
        flow > 0
    from lost
),

bases as (
    select
        minute_at,
        bucket,
        is_priced,
        unnest([
            {
                'book_basis': 'measured',
                'gross_musd': inventory_musd + flow_musd,
                'is_lost': has_inventory or has_flow
            },
            {'book_basis': 'vol', 'gross_musd': flow_musd, 'is_lost': has_flow},
            {'book_basis': 'oi', 'gross_musd': oi_musd, 'is_lost': has_oi}
        ], recursive := true)
    from amounts
)

select
    minute_at,
    book_basis,
    bucket,
    -- where nothing is priced, no volatility measures the loss: all of it counts as lost
    coalesce(
        exact_sum(case when is_priced then gross_musd end) / nullif(exact_sum(gross_musd), 0),
        case when bool_or(is_lost) then 0 end
    ) as priced_share,
    coalesce(priced_share >= least_priced_share(), true) as is_priced_enough
from bases
where bucket <> 'later'
group by minute_at, book_basis, bucket
