-- import.accepted_geo_records: the valid records of a file that were not imported before.
-- grain: source, record
-- reads: import.judged, import.verdicts
select judged.* exclude (line_number, reason, skip_reason, unknown_condition)
from import.judged as judged
anti join import.verdicts as verdicts on verdicts.row_id = judged.rowid
where reason is null and skip_reason is null and unknown_condition is null
