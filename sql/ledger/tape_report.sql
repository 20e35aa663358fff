-- ledger.tape_report: measures of the tape of the session, and a grade of its trustworthiness.
-- grain: session_date
-- reads: ledger.tape_contracts, ledger.tape_findings, ledger.tape_folds, ledger.tape_forwards, ledger.tape_gaps, ledger.tape_imports, ledger.tape_markets, ledger.tape_quotes, ledger.tape_shares, tape.dealer_positions, tape.session
with

verdict as (
    select
        case
            when bool_or(grade in ('bad', 'refused')) then 'bad'
            when bool_or(grade = 'doubtful') then 'doubtful'
            else 'good'
        end as grade,
        coalesce(
            list(reason order by limit_number) filter (where reason is not null), []::varchar[]
        ) as grade_reasons
    from ledger.tape_findings
)

select
    session.session_date,
    gaps.minutes_expected::integer as minutes_expected,
    gaps.minutes_present::integer as minutes_present,
    gaps.minutes_missing::integer as minutes_missing,
    gaps.minutes_missing_share,
    gaps.longest_gap_minutes::integer as longest_gap_minutes,
    gaps.minutes_silent_at_open::integer as minutes_silent_at_open,
    gaps.minutes_silent_at_close::integer as minutes_silent_at_close,
    shares.first_printed_at,
    shares.last_printed_at,
    shares.print_count,
    shares.conditions_missing_share,
    shares.silent_condition_share,
    shares.single_condition_share,
    shares.quotes_missing_share,
    shares.quote_age_median_s,
    shares.quote_age_p99_s,
    shares.quote_age_null_reason,
    shares.outside_quotes_share,
    quotes.quotes_apart_share,
    contracts.unlisted_share,
    contracts.after_expiry_share,
    contracts.one_type_share,
    shares.twin_share,
    imports.unknown_condition_count,
    imports.unknown_condition_share,
    imports.rejected_row_count,
    imports.rejected_row_share,
    shares.cancel_count,
    shares.cancels_without_target,
    shares.cancels_without_target_share,
    shares.late_share,
    shares.known_late_share,
    folds.package_count,
    folds.off_step_share,
    folds.leg_print_count,
    folds.orphan_share,
    folds.leftover_count,
    folds.leftover_share,
    folds.set_apart_count,
    folds.set_apart_share,
    markets.spot_minutes_missing::integer as spot_minutes_missing,
    markets.spot_minutes_missing_share,
    markets.expiry_count::integer as expiry_count,
    markets.expiries_without_forward::integer as expiries_without_forward,
    markets.expiries_without_forward_share,
    forwards.forward_minutes_missing_share,
    forwards.forward_gap_p90,
    markets.curve_missing = 0 as has_curve,
    markets.open_interest_missing = 0 as has_open_interest,
    contracts.volume_without_open_interest_share,
    verdict.grade,
    verdict.grade_reasons,
    shares.other_symbol_count,
    (select max(dealers) from tape.dealer_positions) as dealers,
    markets.spot_minutes_parity::integer as spot_minutes_parity
from tape.session as session
cross join ledger.tape_gaps as gaps
cross join ledger.tape_shares as shares
cross join ledger.tape_folds as folds
cross join ledger.tape_imports as imports
cross join ledger.tape_markets as markets
cross join ledger.tape_forwards as forwards
cross join ledger.tape_contracts as contracts
cross join ledger.tape_quotes as quotes
cross join verdict
