-- audit.bases_have_reasons: a future would be told levels that nobody measured, or none for no
-- reason.
-- grain: minute_et, contract
-- reads: ledger.basis
select minute_et, contract
from ledger.basis
where
    (basis is null) <> (reason is not null)
    or (basis is null) <> (price_count = 0)
    or not isfinite(basis)
    or volume < 0
