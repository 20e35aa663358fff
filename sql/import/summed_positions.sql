-- import.summed_positions: what dealers hold at the open of the next session: what they held at this
-- one's, and what they bought less what they sold in it. A contract that was not held before may
-- have been listed before the first file: its open interest of the morning stays a guess, no larger
-- than any later open interest. `dropped` says why a position is not known.
-- grain: root, expiry, strike, option_type
-- reads: import.contract_flows, import.morning_interest, import.positions, import.unexplained_interest
-- param: session
with

classes as (select max(dealers) as dealers from import.contract_flows),

held as (
    select positions.*
    from import.positions as positions
    cross join classes
    anti join import.unexplained_interest as unexplained
        on unexplained.root = positions.root
        and unexplained.expiry = positions.expiry
        and unexplained.strike = positions.strike
        and unexplained.option_type = positions.option_type
    -- positions of other classes than these flows are not theirs
    where coalesce(positions.dealers, classes.dealers) = classes.dealers
),

contracts as (
    select
        root,
        expiry,
        strike,
        option_type,
        classes.dealers,
        coalesce(held.quantity, 0) + coalesce(flows.change, 0) as quantity,
        coalesce(flows.has_fault, false) as has_fault,
        case
            when held.root is not null
                then least(coalesce(held.guessed_quantity, 0), morning.open_interest)
            else morning.open_interest
        end as guessed_quantity
    from held
    full join import.contract_flows as flows using (root, expiry, strike, option_type)
    left join import.morning_interest as morning using (root, expiry, strike, option_type)
    cross join classes
)

select
    $session::date as session_date,
    root,
    expiry,
    strike,
    option_type,
    quantity,
    guessed_quantity::bigint as guessed_quantity,
    dealers,
    case
        when has_fault then 'fault'
        when guessed_quantity is null then 'no open interest'
    end as dropped
from contracts
where expiry >= $session::date
