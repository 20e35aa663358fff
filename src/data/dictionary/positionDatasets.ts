import { columns, type Dataset } from './datasets.ts'

/** The narrow datasets that positions are judged by: a replay reads a thousand sessions of them. */
export const JUDGED_DATASETS: readonly Dataset[] = [
  {
    name: 'market_minutes',
    grain: 'session_date, minute_et',
    meaning:
      "The market of each minute as a position in the session's own PM expiry is judged by it: " +
      'everything known before HH:MM:00.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  minute_at     timestamp   UTC instant of HH:MM:00
  seconds_left  integer     to the PM close, 16:00 ET or 13:00; below zero after it
  session_seconds integer   seconds_left of the first minute, 09:31
  spot          double?     index points; null: no value in the five minutes before, and none by put-call parity
  open          double?     index of the first minute that had one, by 09:35; null: none yet
  previous_close double?    index at the PM close of the session before
  previous_close_reason varchar? why previous_close is null
  forward       double?     of the session's own PM expiry
  discount      double?     to that expiry
  expected_move_points double? its at-the-money straddle, undiscounted: what remains of the move
  session_expected_move_points double? the same as it was at 09:31
  quoted_strike_low double? lowest strike of that expiry with a quote; null: none
  quoted_strike_high double? highest
  smile_strikes double[]    strikes of today's smile, rising
  smile_total_variances double[] implied variance x years at each of them
  smile_reason  varchar?    why forward or expected_move_points is null
  net_gamma_musd_per_point double? of the measured book; null where its inventory is unknown
  flip          double?     as in levels
  call_wall     double?     as in levels
  put_wall      double?     as in levels
  level_reason  varchar?    why one of these four is null
  flip_lo       double?     as in levels
  flip_hi       double?     as in levels; null where flip_lo is
  p_positive    double?     as in levels
  spot_source   varchar?    as in levels
  spot_error    double?     as in levels`),
  },
  {
    name: 'large_orders',
    grain: 'session_date, order_id, revision_number',
    meaning: 'The orders of the ledger, in every version, as they come to count for a position.',
    sort: 'session_date, visible_at, order_id, revision_number',
    columns: columns(`
  session_date  date        ET trading day
  order_id      varchar     the order
  revision_number integer   the version of the order
  minute_et     varchar     ET minute of its first print, HH:MM
  printed_at    timestamp   UTC instant of its first print
  visible_at    timestamp   UTC instant from which it was known like this, and counts
  superseded_at timestamp?  UTC instant from which it was known otherwise; null: it stands
  structure     varchar     what the package is
  gross_premium_usd double  sum over legs of size x price x 100
  dealer_gamma_musd_per_point double? dealer gamma the order added, $M per index point
  gamma_null_reason varchar? why dealer gamma is null
  strikes       double[]    strikes of its legs in the session's own PM expiry, rising; or none`),
  },
]
