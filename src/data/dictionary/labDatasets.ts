import { columns, type Dataset } from './datasets.ts'

/** Datasets by which a test of a rule prices and settles its trades. */
export const LAB_DATASETS: readonly Dataset[] = [
  {
    name: 'option_minutes',
    shared: false,
    grain: 'session_date, minute_et, expiry, strike',
    meaning:
      'The quotes of each minute up to the PM close: PM expiries of this session and of the next ' +
      'five, strikes within 700 points of the index at that minute.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM, up to the PM close
  expiry        date        of contracts that settle at the PM close of that day
  dte           integer     sessions from this one to the expiry: 0 to 5
  root          varchar     SPXW, or the root the vendor names; of two with one expiry the first
  strike        double      index points
  call_bid      double?     last NBBO known before the minute, index points; null: no bid
  call_ask      double?     null: no ask
  call_age_s    integer?    seconds from that quote to the minute, rounded up; null: no quote
  put_bid       double?     as of the call
  put_ask       double?     as of the call
  put_age_s     integer?    as of the call`),
  },
  {
    name: 'smiles',
    grain: 'session_date, minute_et, expiry',
    meaning: 'The surface of each minute up to the PM close, of the same expiries.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM, up to the PM close
  expiry        date        as in option_minutes
  dte           integer     sessions from this one to the expiry: 0 to 5
  root          varchar     as in option_minutes
  seconds_left  integer     to the expiry's PM close
  forward       double?     index points, as in forwards
  discount      double?     discount factor to the expiry; null once expired
  strikes       double[]    strikes of the smile, rising
  total_variances double[]  implied variance x years at each of them
  reason        varchar?    why there is no forward or no smile`),
  },
  {
    name: 'settlements',
    grain: 'session_date',
    meaning: 'The one value at which all contracts settle that expire at the PM close.',
    columns: columns(`
  session_date  date        ET trading day
  settlement    double?     index points
  source        varchar?    'official' (imported), 'index_unchanged', 'last_index' or 'last_parity'; null: none
  spotted_at    timestamp?  UTC instant of the index value or quotes it is of; null: official, or none
  reason        varchar?    why settlement is null: 'no_index'
  settlement_error double?  one standard deviation, index points; null but for 'last_parity'`),
  },
]
