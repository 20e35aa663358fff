-- ledger.tape_shares: what the prints that count carry: conditions, quotes, late reports; and the
-- cancels whose print was not found. A share of nothing is null.
-- grain: one row
-- reads: fold.print_fates, tape.conditions, tape.prints
with

kept as (
    select
        prints.*,
        conditions.is_late,
        -- a bid of zero beside an ask is a quote
        prints.best_ask is not null as is_quoted,
        prints.best_bid < prints.best_ask as is_two_sided,
        epoch_us(prints.printed_at) - epoch_us(prints.quoted_at) as quote_age_us
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.conditions as conditions on conditions.letter = prints.condition
    where fates.fate = 'kept'
),

told as (
    select
        min(printed_at) as first_printed_at,
        max(printed_at) as last_printed_at,
        count(*) as print_count,
        count(*) filter (where condition is null) / nullif(count(*), 0)
            as conditions_missing_share,
        count(*) filter (where not is_quoted) / nullif(count(*), 0) as quotes_missing_share,
        quantile_disc(quote_age_us, 0.5) filter (where is_quoted) / 1e6::double
            as quote_age_median_s,
        quantile_disc(quote_age_us, 0.99) filter (where is_quoted) / 1e6::double
            as quote_age_p99_s,
        case
            when count(*) filter (where is_quoted) = 0 then 'no_quote'
            when count(*) filter (where is_quoted and quoted_at is not null) = 0 then 'undated'
        end as quote_age_null_reason,
        count(*) filter (where is_two_sided and (price < best_bid or price > best_ask))
            / nullif(count(*) filter (where is_two_sided), 0) as outside_quotes_share,
        count(*) filter (where is_late) / nullif(count(*) filter (where condition is not null), 0)
            as late_share
    from kept
),

cancels as (
    select
        count(*) as cancel_count,
        count(*) filter (where fate = 'cancel_without_target') as cancels_without_target
    from fold.print_fates
    where fate in ('cancel', 'cancel_without_target')
)

select
    told.first_printed_at,
    told.last_printed_at,
    told.print_count,
    told.conditions_missing_share,
    told.quotes_missing_share,
    told.quote_age_median_s,
    told.quote_age_p99_s,
    told.quote_age_null_reason,
    told.outside_quotes_share,
    cancels.cancel_count,
    cancels.cancels_without_target,
    cancels.cancels_without_target / nullif(cancels.cancel_count, 0)
        as cancels_without_target_share,
    told.late_share
from told
cross join cancels
