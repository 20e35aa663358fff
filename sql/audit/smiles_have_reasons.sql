-- audit.smiles_have_reasons: a trade would be priced by a surface that nobody knew, or none
-- would be there for no reason.
-- grain: minute_et, expiry
-- reads: ledger.smiles, surface.near_terms
select terms.minute_et, terms.expiry
from surface.near_terms as terms
left join ledger.smiles as smiles using (minute_et, expiry)
where
    smiles.minute_et is null
    or (smiles.forward is null or len(smiles.strikes) = 0) <> (smiles.reason is not null)
    or smiles.forward is null and len(smiles.strikes) > 0
    or len(smiles.strikes) <> len(smiles.total_variances)
    or smiles.strikes <> list_sort(smiles.strikes)
    or smiles.discount is null and smiles.seconds_left > 0
    or smiles.seconds_left < 0
