-- views.evidence_revisions: one order as it was known before, oldest first.
-- grain: revision_number
-- reads: ledger.revisions
select
    revision_number,
    epoch_us(visible_at) as visible_us,
    epoch_us(superseded_at) as superseded_us,
    superseded_by,
    structure,
    legs_text,
    contracts,
    sign,
    dealer_gamma_musd_per_point as gamma
from ledger.revisions
order by revision_number
