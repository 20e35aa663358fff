-- ledger.tape_findings: every measure of the tape that has limits, and the grade it stands for.
-- A value is of a grade from that grade's limit on; a measure that is null has no grade.
-- grain: measure
-- reads: ledger.tape_contracts, ledger.tape_folds, ledger.tape_forwards, ledger.tape_gaps, ledger.tape_imports, ledger.tape_markets, ledger.tape_quotes, ledger.tape_shares, tape.limits
with

measures as (
    select
        shares.prints_missing::double as prints_missing,
        gaps.minutes_missing_share,
        gaps.longest_gap_minutes::double as longest_gap_minutes,
        gaps.minutes_silent_at_open::double as minutes_silent_at_open,
        gaps.minutes_silent_at_close::double as minutes_silent_at_close,
        shares.conditions_missing_share,
        shares.silent_condition_share,
        shares.single_condition_share,
        shares.quotes_missing_share,
        shares.quote_age_median_s,
        shares.quote_age_p99_s,
        shares.outside_quotes_share,
        quotes.quotes_apart_share,
        contracts.unlisted_share,
        contracts.after_expiry_share,
        contracts.one_type_share,
        shares.twin_share,
        imports.unknown_condition_share,
        imports.rejected_row_share,
        imports.degraded_file_count::double as degraded_file_count,
        shares.cancels_without_target_share,
        shares.late_share,
        shares.known_late_share,
        folds.off_step_share,
        folds.orphan_share,
        folds.leftover_count::double as leftover_count,
        folds.leftover_share,
        folds.set_apart_count::double as set_apart_count,
        folds.set_apart_share,
        markets.spot_minutes_missing_share,
        markets.expiries_without_forward_share,
        forwards.forward_minutes_missing_share,
        forwards.forward_gap_p90,
        markets.curve_missing::double as curve_missing,
        markets.open_interest_missing::double as open_interest_missing,
        contracts.volume_without_open_interest_share
    from ledger.tape_gaps as gaps
    cross join ledger.tape_shares as shares
    cross join ledger.tape_folds as folds
    cross join ledger.tape_imports as imports
    cross join ledger.tape_markets as markets
    cross join ledger.tape_forwards as forwards
    cross join ledger.tape_contracts as contracts
    cross join ledger.tape_quotes as quotes
),

measured as (
    select measure, value
    from measures unpivot include nulls (value for measure in (columns(*)))
),

graded as (
    select
        measured.measure,
        measured.value,
        limits.doubtful,
        limits.bad,
        limits.refused,
        limits.limit_number,
        limits.why,
        case
            when measured.value >= limits.refused then 'refused'
            when measured.value >= limits.bad then 'bad'
            when measured.value >= limits.doubtful then 'doubtful'
            when measured.value is not null then 'good'
        end as grade
    from measured
    left join tape.limits as limits using (measure)
)

select
    measure,
    value,
    doubtful,
    bad,
    refused,
    grade,
    case when grade <> 'good' then
        printf(
            '%s is %.6g, %s from %.6g: %s',
            measure,
            value,
            grade,
            case grade when 'refused' then refused when 'bad' then bad else doubtful end,
            why
        )
    end as reason,
    limit_number
from graded
order by limit_number
