import { columns, type Dataset } from './datasets.ts'

/** Quality of a tape: every measure of it, and the resulting grade. */
export const TAPE_REPORT: Dataset = {
  name: 'tape_report',
  grain: 'session_date',
  meaning: 'How far the tape of the session can be trusted. A share of nothing is null.',
  columns: columns(`
  session_date  date        ET trading day
  minutes_expected integer  minutes of the session, 405 or 225
  minutes_present integer   minutes with a print
  minutes_missing integer   minutes without any
  minutes_missing_share double of the expected minutes
  longest_gap_minutes integer longest run of minutes without a print
  minutes_silent_at_open integer minutes before the first with a print
  minutes_silent_at_close integer minutes after the last with a print
  first_printed_at timestamp? first print that counts, UTC
  last_printed_at timestamp? last print that counts, UTC
  print_count   bigint      prints that count: neither cancelled nor outside the hours
  conditions_missing_share double? of these prints, those without a condition
  silent_condition_share double? with a condition that says nothing: none of its exchange names legs
  single_condition_share double? of 1,000 conditions and more, those that name no leg
  quotes_missing_share double? of these prints, those without a quote that could tell their side
  quote_age_median_s double? seconds from the quote to the print
  quote_age_p99_s double?   the same, 99 of 100 prints are below
  quote_age_null_reason varchar? 'no_quote', or 'undated' where no quote names its instant
  outside_quotes_share double? of the prints with a two-sided quote, those outside of it
  quotes_apart_share double? of a tenth of them, those whose NBBO meets no minute quote around it
  unlisted_share double?    prints whose contract has no minute quote all day
  after_expiry_share double? prints at or after the expiry of their contract
  one_type_share double?    of 1,000 prints and more, those of calls, or of puts if they are more
  twin_share    double?     prints alike in everything to one before them
  unknown_condition_count bigint prints left out because nobody documents their condition
  unknown_condition_share double? of the rows of prints that were read
  rejected_row_count bigint rows of all imports that could not be read
  rejected_row_share double? of the rows of a dataset, where most of them are
  cancel_count  bigint      cancels on the tape
  cancels_without_target bigint cancels whose print was not found
  cancels_without_target_share double? of the cancels
  late_share    double?     of the prints with a condition, those reported late
  known_late_share double?  prints known more than 60 seconds after they printed
  package_count bigint      orders of two contracts and more
  off_step_share double?    of the packages, those whose net is off the price grid
  leg_print_count bigint    prints whose condition says that they are legs
  orphan_share  double?     of the leg prints, those left without a package
  leftover_count bigint     prints that a package took and lost again: orders of their own
  leftover_share double?    of the prints that count
  set_apart_count bigint    prints that an audit named: in no order
  set_apart_share double?   of the prints known in time
  spot_minutes_missing integer minutes without an index: neither a value in the five minutes before, nor one by parity
  spot_minutes_missing_share double? of the minutes
  expiry_count  integer     expiries that traded
  expiries_without_forward integer of these, those without a forward at any minute
  expiries_without_forward_share double? the same as a share
  forward_minutes_missing_share double? minutes of expiries without a forward, by their prints
  forward_gap_p90 double?   nearest PM forward against the index, 9 of 10 minutes are below
  has_curve     boolean     whether there is a yield curve
  has_open_interest boolean whether there is open interest
  volume_without_open_interest_share double? contracts traded that nobody held at the open
  grade         varchar     'good', 'doubtful' or 'bad', by reference/tape_limits.csv
  grade_reasons varchar[]   every measure that is not good, with its limit
  other_symbol_count bigint prints of other symbols than the session's, which are left out
  dealers       varchar?    classes of traders counted as dealers in imported positions, such as mm,bd; null: none, or nobody says
  spot_minutes_parity integer minutes whose index is that of put-call parity`),
}
