-- simulate.lab_term_smiles: the smiles of a simulated session of LAB, whole.
-- grain: minute_et, expiry
-- reads: simulate.lab_expiries, simulate.lab_smiles, simulate.lab_states, simulate.lab_terms, tape.session
with

smiles as (
    select
        state,
        dte,
        list(strike order by strike) as strikes,
        list(total_variance order by strike) as total_variances
    from simulate.lab_smiles
    group by state, dte
)

select
    session.session_date,
    states.minute_et,
    expiries.expiry::date as expiry,
    expiries.dte::integer as dte,
    'SPXW' as root,
    terms.seconds_left::integer as seconds_left,
    known_value(terms.forward) as forward,
    known_value(terms.discount) as discount,
    coalesce(smiles.strikes, []) as strikes,
    coalesce(smiles.total_variances, []) as total_variances,
    case
        when terms.seconds_left <= 0 then 'expired'
        when isnan(terms.forward) then 'no_quote'
    end as reason
from simulate.lab_terms as terms
cross join tape.session as session
inner join simulate.lab_states as states using (state)
inner join simulate.lab_expiries as expiries using (dte)
left join smiles using (state, dte)
order by states.minute_et, expiry
