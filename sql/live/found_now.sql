-- live.found_now: what cancels of the newest state may take off the tape and what earlier ones may
-- among its prints, with the cancels themselves.
-- grain: sequence
-- reads: live.cancel_keys, live.involved, live.keys, live.keys_now
with

cancelled as (select distinct key from live.keys_now where is_cancel),

found as (
    select keys.sequence
    from live.keys as keys
    semi join cancelled using (key)
    union
    select keys_now.sequence
    from live.keys_now as keys_now
    semi join live.cancel_keys using (key)
)

select sequence
from found
anti join live.involved using (sequence)
order by sequence
