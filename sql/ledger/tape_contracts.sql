-- ledger.tape_contracts: share of the traded contracts that the rest of the tape confirms: quoted,
-- not yet expired, and with open interest; and the balance of calls and puts. A share of nothing is
-- null.
-- grain: one row
-- reads: book.known_positions, fold.print_fates, tape.expiries, tape.open_interest, tape.prints, tape.quotes
with

traded as (
    select
        prints.root,
        prints.expiry,
        prints.strike,
        prints.option_type,
        count(*) as print_count,
        sum(prints.size) as contracts,
        count(*) filter (where prints.printed_at >= expiries.expires_at) as after_expiry_count
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.expiries as expiries
        on expiries.root = prints.root and expiries.expiry = prints.expiry
    where fates.fate = 'kept'
    group by prints.root, prints.expiry, prints.strike, prints.option_type
),

totals as (
    select
        sum(print_count) as print_count,
        sum(case when option_type = 'C' then print_count else 0 end) as call_print_count,
        sum(contracts) as contracts,
        sum(after_expiry_count) as after_expiry_count
    from traded
),

unlisted as (
    select coalesce(sum(print_count), 0) as print_count
    from traded
    anti join tape.quotes as quotes using (root, expiry, strike, option_type)
),

-- a position of a better source counts at any size, open interest where there is some
held as (
    select root, expiry, strike, option_type
    from book.known_positions
    where enters_at is null and (source <> 'open_interest' or open_interest <> 0)
),

unheld as (
    select coalesce(sum(contracts), 0) as contracts
    from traded
    anti join held using (root, expiry, strike, option_type)
)

select
    case when exists (from tape.quotes) then unlisted.print_count / totals.print_count end
        as unlisted_share,
    totals.after_expiry_count / totals.print_count as after_expiry_share,
    -- a handful of prints may well be of calls alone
    case when totals.print_count >= 1_000 then
        greatest(totals.call_print_count, totals.print_count - totals.call_print_count)
            / totals.print_count
    end as one_type_share,
    case when exists (from tape.open_interest) then unheld.contracts / totals.contracts end
        as volume_without_open_interest_share
from totals
cross join unlisted
cross join unheld
