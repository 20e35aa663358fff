-- audit.bases_have_reasons: a future would be given levels that nobody measured, or none without a
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
