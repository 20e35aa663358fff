-- surface.near_smiles: the surface of these expiries, each smile as lists, whole.
-- grain: minute_et, expiry
-- reads: surface.near_terms, surface.smiles
with

lists as (
    select
        term_number,
        list_sort(list({
            'strike': smiles.strike,
            'total_variance': smiles.total_variance
        })) as points
    from surface.smiles as smiles
    semi join surface.near_terms using (term_number)
    group by term_number
)

select
    terms.minute_et,
    terms.expiry,
    terms.dte,
    terms.root,
    terms.seconds_left,
    terms.forward,
    terms.discount,
    coalesce(list_transform(lists.points, point -> point.strike), []) as strikes,
    coalesce(list_transform(lists.points, point -> point.total_variance), []) as total_variances,
    coalesce(terms.reason, case when lists.term_number is null then 'no_smile' end) as reason
from surface.near_terms as terms
left join lists using (term_number)
