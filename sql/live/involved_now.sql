-- live.involved_now: what cancels of the newest state may take off the tape and what earlier ones
-- may among its prints, with the cancels themselves. A cancel repeats exchange, contract, price and
-- size of what it takes off; few prints are like any cancel.
-- grain: sequence
-- reads: live.arrivals, live.cancels, live.cancels_now, live.involved, tape.prints
with

found as (
    select prints.sequence
    from tape.prints as prints
    semi join live.cancels_now as cancels
        on cancels.root = prints.root
        and cancels.expiry = prints.expiry
        and cancels.strike = prints.strike
        and cancels.option_type = prints.option_type
        and cancels.price = prints.price
        and cancels.size = prints.size
        and coalesce(cancels.exchange, '') = coalesce(prints.exchange, '')
    union
    select arrivals.sequence
    from live.arrivals as arrivals
    semi join live.cancels as cancels
        on cancels.root = arrivals.root
        and cancels.expiry = arrivals.expiry
        and cancels.strike = arrivals.strike
        and cancels.option_type = arrivals.option_type
        and cancels.price = arrivals.price
        and cancels.size = arrivals.size
        and coalesce(cancels.exchange, '') = coalesce(arrivals.exchange, '')
)

select prints.*
from tape.prints as prints
semi join found using (sequence)
anti join live.involved using (sequence)
