-- live.cancel_candidates: prints that new cancels may take off the tape, new prints that earlier
-- cancels may take off, and those cancels.
-- grain: sequence
-- reads: live.cancel_keys, live.involved, live.keys, live.new_keys
with

cancelled as (select distinct key from live.new_keys where is_cancel),

found as (
    select keys.sequence
    from live.keys as keys
    semi join cancelled using (key)
    union
    select new_keys.sequence
    from live.new_keys as new_keys
    semi join live.cancel_keys using (key)
)

select sequence
from found
anti join live.involved using (sequence)
order by sequence
