-- ledger.tape_shares: attributes of the prints that count: conditions, quotes, late reports; the
-- cancels whose print was not found; and the prints of other symbols. A share of nothing is null.
-- Only quotes that the fold would judge a side by are counted.
-- grain: one row
-- reads: fold.print_fates, tape.conditions, tape.prints
-- param: quote_age_us
with

counted_prints as (
    select
        prints.*,
        fates.letter,
        conditions.is_late,
        conditions.is_multi_leg,
        is_print_quoted(
            prints.best_bid,
            prints.best_ask,
            prints.printed_at,
            prints.quoted_at,
            $quote_age_us::bigint
        ) as is_judgeable,
        -- a bid of zero with an ask is a quote
        prints.best_ask is not null as is_quoted,
        prints.best_bid < prints.best_ask as is_two_sided,
        epoch_us(prints.printed_at) - epoch_us(prints.quoted_at) as quote_age_us
    from tape.prints as prints
    inner join fold.print_fates as fates using (sequence)
    left join tape.conditions as conditions on conditions.letter = prints.condition
    where fates.fate = 'kept'
),

shares as (
    select
        min(printed_at) as first_printed_at,
        max(printed_at) as last_printed_at,
        count(*) as print_count,
        (count(*) = 0)::integer as prints_missing,
        count(*) filter (where condition is null) / nullif(count(*), 0)
            as conditions_missing_share,
        count(*) filter (where condition is not null and letter is null) / nullif(count(*), 0)
            as silent_condition_share,
        -- a handful of prints may well have no leg among them
        case when count(letter) >= 1_000 then
            count(*) filter (where letter is not null and not coalesce(is_multi_leg, false))
                / count(letter)
        end as single_condition_share,
        count(*) filter (where not is_judgeable) / nullif(count(*), 0) as quotes_missing_share,
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
            as late_share,
        count(*) filter (where known_at > printed_at + interval 60 seconds)
            / nullif(count(*), 0) as known_late_share
    from counted_prints
),

-- alike in all that a tape says of a print: the trade once more, where it names its trades
distinct_prints as (
    select count(*) as distinct_count
    from (
        select distinct
            printed_at,
            root,
            expiry,
            strike,
            option_type,
            size,
            price,
            condition,
            exchange,
            trade_id
        from counted_prints
    )
),

cancels as (
    select
        count(*) as cancel_count,
        count(*) filter (where fate = 'cancel_without_target') as cancels_without_target
    from fold.print_fates
    where fate in ('cancel', 'cancel_without_target')
),

other_symbols as (
    select count(*) as other_symbol_count from fold.print_fates where fate = 'other_symbol'
)

select
    shares.first_printed_at,
    shares.last_printed_at,
    shares.print_count,
    shares.prints_missing,
    shares.conditions_missing_share,
    shares.silent_condition_share,
    shares.single_condition_share,
    shares.quotes_missing_share,
    shares.quote_age_median_s,
    shares.quote_age_p99_s,
    shares.quote_age_null_reason,
    shares.outside_quotes_share,
    cancels.cancel_count,
    cancels.cancels_without_target,
    cancels.cancels_without_target / nullif(cancels.cancel_count, 0)
        as cancels_without_target_share,
    shares.late_share,
    shares.known_late_share,
    (shares.print_count - distinct_prints.distinct_count) / nullif(shares.print_count, 0)
        as twin_share,
    other_symbols.other_symbol_count
from shares
cross join distinct_prints
cross join cancels
cross join other_symbols
