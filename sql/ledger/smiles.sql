-- ledger.smiles: the surface that a test of a rule prices options by which nobody quotes.
-- kind: view
-- grain: minute_et, expiry
-- reads: surface.near_smiles, tape.session
select
    session.session_date,
    smiles.minute_et,
    smiles.expiry,
    smiles.dte,
    smiles.root,
    smiles.seconds_left,
    smiles.forward,
    smiles.discount,
    smiles.strikes,
    smiles.total_variances,
    smiles.reason
from surface.near_smiles as smiles
cross join tape.session as session
order by smiles.minute_et, smiles.expiry
