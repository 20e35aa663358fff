-- import.fresh_rows: the valid rows of a file that the tape has not, of a dataset whose grain is a
-- key.
-- grain: row_id
-- reads: import.judged, import.verdicts
select judged.rowid as row_id, judged.* exclude (reason, skip_reason)
from import.judged as judged
anti join import.verdicts as verdicts on verdicts.row_id = judged.rowid
where reason is null and skip_reason is null
