-- import.accepted_flows: the flows of a file that are new, and those of known contracts whose
-- volumes are not valid: what dealers did is unknown then.
-- grain: row_id
-- reads: import.judged, import.verdicts
select judged.rowid as row_id, judged.* exclude (reason, skip_reason)
from import.judged as judged
anti join import.verdicts as verdicts on verdicts.row_id = judged.rowid
where skip_reason is null and (reason is null or fault is not null)
