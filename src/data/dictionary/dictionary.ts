/**
 * Datasets of a build: one immutable Parquet file a session and dataset. The publisher refuses a
 * table whose columns differ from this list; `data/README.md` is checked against it.
 */

import { addInstants, CONTRACT, columns, type Dataset } from './datasets.ts'
import { EDITION_DATASETS, RESTATEMENTS } from './editionDatasets.ts'
import { GRADE_DATASETS } from './gradeDatasets.ts'
import { LAB_DATASETS } from './labDatasets.ts'
import { JUDGED_DATASETS } from './positionDatasets.ts'
import { TAPE_REPORT } from './tapeReport.ts'

/** Columns of an order, in its current version or an earlier one. */
const ORDER = `
  session_date  date        ET trading day
  order_id      varchar     pure function of the session and the first print
  minute_et     varchar     ET minute of the first print, HH:MM
  printed_at    timestamp   UTC instant of the first print
  last_printed_at timestamp UTC instant of the last print
  known_at      timestamp   UTC instant from which all of its prints were known
  structure     varchar     what the package is: single, vertical, iron_condor, ...
  legs_text     varchar     the contracts in words
  main_expiry   date?       expiry with most of the order's gamma; null when that is not known
  leg_count     integer     distinct contracts
  print_count   integer     prints folded into the order
  size          integer     package units: how many times the structure traded
  contracts     integer     contracts over all legs
  gross_premium_usd double  sum over legs of size x price x 100
  net_price     double?     index points a unit, first leg bought; null when signs are ambiguous
  net_premium_usd double?   magnitude of the net premium; null with net_price
  sign          integer     1 the customer bought the package (first leg +), -1 sold, 0 undecidable
  side_z        double?     (net - middle) / half of the synthetic spread; sign may be against it
  side_reason   varchar?    why sign is 0
  fold_basis    varchar     'conditions' or 'prints': what the fold had to go by
  fold_rule     varchar     the rule that closed the group
  fold_confidence double    0 to 1; below 0.5 the sign is 0
  condition     varchar?    OPRA letter of most of its contracts
  print_class   varchar     single, electronic, floor, cross, late, ...
  flags         varchar[]   ml_orphan, leftover, off_grid, ambiguous, hedged_with_combo, ...
  dealer_gamma_musd_per_point double? dealer gamma the order added, $M per index point
  gamma_null_reason varchar? why dealer gamma is null
  spot          double?     index of the order's minute, known before it printed
  flip          double?     zero-gamma flip of that minute, measured book
  flip_distance_points double? distance to the flip, without sign
  flip_side     varchar?    'over' when spot >= flip, else 'under'
  flip_null_reason varchar? why there is no flip, such as 'inventory_unknown'
  is_in_ledger  boolean     gross premium at or above the floor`

/** Columns of an order that came later than the others. */
const LATER_COLUMNS = `
  convention_flip double?   flip of that minute by the convention, book 'oi'
  convention_distance_points double? distance to it, without sign
  convention_side varchar?  'over' when spot >= convention_flip, else 'under'
  spot_source   varchar?    'index', or 'parity': by put-call parity; null where spot is
  spot_error    double?     one standard deviation of spot, index points; null but for 'parity'
  side_deviation double?    how far one deviation of the rates of sides moves side_probability, logit`

/** Columns of a leg of an order. */
const LEG = `
  leg_number    integer     1 and up: by expiry, strike, C before P
  ${CONTRACT}
  ratio         integer     contracts a package unit
  contracts     integer     contracts in the order: ratio x size
  premium_usd   double      sum of size x price x 100
  average_price double      index points
  package_sign  integer?    sign within the package, first leg +; null when ambiguous
  customer_sign integer     1 the customer bought, -1 sold, 0 undecidable
  implied_vol   double?     per year, ACT/365 by seconds, from the smile of the order's minute
  gamma         double?     per index point, one contract
  gamma_null_reason varchar? why gamma is null
  own_quote_sign integer?   what the leg's own quotes say alone; null without a usable quote
  revision_number integer   the version of the order
  side_probability double?  that the customer bought this leg; null: nothing to say`

/** The datasets with the columns of their models. */
const MODELLED_DATASETS: readonly Dataset[] = [
  {
    name: 'orders',
    grain: 'session_date, order_id',
    meaning: 'Every parent order of the session, also those below the premium floor.',
    sort: 'session_date, ledger_rank',
    columns: columns(`
  ${ORDER}
  ledger_rank   integer     position in the ledger: largest effect first, unpriced after
  side_probability double?  that the customer bought the package; null: nothing to say
  visible_at    timestamp   UTC instant from which the order is known as it stands
  revision_number integer   1, and one more for each time it was known otherwise
  ${LATER_COLUMNS}`),
  },
  {
    name: 'legs',
    grain: 'session_date, order_id, leg_number',
    meaning: 'The contracts of every order.',
    columns: columns(`
  session_date  date        ET trading day
  order_id      varchar     the order
  ${LEG}`),
  },
  {
    name: 'revisions',
    grain: 'session_date, order_id, revision_number',
    meaning: 'Orders as they were known until a late print or a cancel told otherwise.',
    sort: 'session_date, superseded_at, order_id, revision_number',
    columns: columns(`
  ${ORDER}
  side_probability double?  that the customer bought the package; null: nothing to say
  visible_at    timestamp   UTC instant from which the order was known like this
  revision_number integer   1 and up within the order
  superseded_at timestamp   UTC instant of the news from which it was known otherwise
  superseded_by varchar     'cancel' or 'late_print'
  ${LATER_COLUMNS}`),
  },
  {
    name: 'revision_legs',
    grain: 'session_date, order_id, revision_number, leg_number',
    meaning: 'The contracts of orders as they were known before.',
    columns: columns(`
  session_date  date        ET trading day
  order_id      varchar     the order
  ${LEG}`),
  },
  {
    name: 'order_prints',
    grain: 'session_date, sequence',
    meaning: 'The evidence: which prints make up an order.',
    columns: columns(`
  session_date  date        ET trading day
  order_id      varchar     the order
  sequence      bigint      the print
  leg_number    integer     the leg it belongs to`),
  },
  {
    name: 'prints',
    shared: false,
    grain: 'session_date, sequence',
    meaning:
      'Every print known by the end of its ET day and what the fold did to it: a correction that ' +
      'came days later is on the tape, not here.',
    sort: 'session_date, printed_at, sequence',
    columns: columns(`
  session_date  date        ET trading day the print belongs to
  sequence      bigint      unique within the session
  printed_at    timestamp   UTC, microseconds
  ${CONTRACT}
  exchange      varchar?    exchange as the vendor names it
  size          integer     contracts
  price         double      index points per contract, as printed
  condition     varchar?    OPRA message type letter; null where the vendor gives none
  vendor_condition varchar? condition as the vendor writes it
  trade_id      varchar?    trade identifier
  best_bid      double?     NBBO bid at the print
  best_ask      double?     NBBO ask at the print
  bid_size      integer?    contracts at the bid
  ask_size      integer?    contracts at the ask
  quoted_at     timestamp?  UTC instant of that NBBO
  underlying_price double?  middle of the underlying at the print
  known_at      timestamp   UTC instant from which it was known
  fate          varchar     kept, cancelled, cancel, outside_hours, set_apart, ...`),
  },
  {
    name: 'levels',
    grain: 'session_date, minute_et, book_basis',
    meaning: 'Levels of the dealer book at each minute: everything known before HH:MM:00.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  book_basis    varchar     'measured' (inventory and flow), 'vol' (flow today), 'oi' (convention)
  spot          double?     index points
  net_gamma_musd_per_point double? dealer gamma at spot, $M per index point
  regime        varchar?    'positive' or 'negative'; null with 'inventory_unknown'
  flip          double?     zero of net gamma nearest to spot, index points
  flip_roots    double[]    every zero within 300 points of spot, rising
  call_wall     double?     strike with the largest dealer gamma among calls
  put_wall      double?     the same among puts
  expected_move_points double? price of the at-the-money straddle of the nearest PM expiry
  session_expected_move_points double? the same as it was at 09:31
  expected_move_reason varchar? why the expected move is null
  measured_share double?    share of open interest's gamma of which the dealers' side is measured
  priced_share  double?     share of the book's gamma that could be priced; below 0.9 no levels
  reason        varchar?    why a value is null
  flip_lo       double?     lower end of the flip's 90 % interval, index points; null in book 'oi'
  flip_hi       double?     upper end; what the interval covers is said below
  net_gamma_deviation_musd double? one standard deviation of the net gamma; null in book 'oi'
  p_positive    double?     probability that the net gamma is positive; null in book 'oi'
  sessions_carried integer  sessions in a row whose flow the opening inventory holds
  spot_source   varchar?    'index', or 'parity': by put-call parity; null where spot is
  spot_error    double?     one standard deviation of spot, index points; null but for 'parity'`),
  },
  {
    name: 'profiles',
    grain: 'session_date, minute_et, book_basis, index_point',
    meaning: 'Net dealer gamma over index points.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  book_basis    varchar     as in levels
  index_point   double      level of the index
  dealer_gamma_musd_per_point double $M per index point`),
  },
  {
    name: 'strikes',
    grain: 'session_date, minute_et, book_basis, strike',
    meaning: 'Dealer gamma at the index by strike, over all expiries.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  book_basis    varchar     as in levels
  strike        double      index points, within 300 of the index at that minute
  call_musd     double      dealer gamma of its calls, $M per index point
  put_musd      double      the same of its puts`),
  },
  {
    name: 'exposures',
    grain: 'session_date, minute_et, book_basis, root, expiry, strike',
    meaning: "Dealers' delta, gamma, vanna and charm by strike and expiry, every five minutes.",
    sort: 'session_date, minute_et, book_basis, expiry, root, strike',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM: 09:31 and every fifth minute
  book_basis    varchar     as in levels
  root          varchar     SPX (AM settled), SPXW (PM settled), or the root the vendor names
  expiry        date        expiration date of the contracts
  strike        double?     index points, within 300 of the index; null: all further off, added up
  delta_musd    double      dealer delta of its calls and puts, $M of index
  gamma_musd    double      dealer gamma, $M per index point: of a strike, over its expiries that of strikes
  vanna_musd    double      change of dealer delta per vol point (0.01 a year), $M
  charm_musd    double      change of dealer delta per calendar day, $M
  delta_deviation_musd float? one standard deviation of it; null, as the next three, in book 'oi'
  gamma_deviation_musd float? one standard deviation of it
  vanna_deviation_musd float? one standard deviation of it
  charm_deviation_musd float? one standard deviation of it`),
  },
  {
    name: 'expiry_levels',
    grain: 'session_date, minute_et, book_basis, bucket',
    meaning: 'Levels of the expiry of the session, of the next one and of all, at each minute.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  book_basis    varchar     as in levels
  bucket        varchar     '0dte' (the session's own expiry), 'next' (the one after it) or 'all'
  expiry        date?       expiration date of the bucket; null of 'all', and where there is none
  net_gamma_musd_per_point double? dealer gamma of the bucket at spot, $M per index point
  net_gamma_deviation_musd double? one standard deviation of it; null in book 'oi'
  p_positive    double?     probability that it is positive; null in book 'oi'
  regime        varchar?    as in levels
  flip          double?     zero of the bucket's gamma nearest to spot, index points
  flip_lo       double?     lower end of its 90 % interval; null in book 'oi'
  flip_hi       double?     upper end
  call_wall     double?     strike with the largest dealer gamma among the calls of the bucket
  put_wall      double?     the same among its puts
  measured_share double?    as in levels, of the bucket
  priced_share  double?     as in levels, of the bucket
  gross_share   double?     share of the gamma the book may hold, without sign, that leaves with the bucket
  monthly_expiry date?      next monthly expiration: a third Friday, or the Thursday before a holiday
  monthly_share double?     the same share of the monthly expiration
  reason        varchar?    why a value is null: as in levels, or 'no_expiry'`),
  },
  {
    name: 'flow',
    grain: 'session_date, minute_et, part, span',
    meaning: 'Delta and gamma that customers bought, by whole order, with 90 % intervals.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  part          varchar     'all', or of each order its legs that are '0dte', 'calls' or 'puts'
  span          varchar     'day': all orders known so far; '5m': those printed in the last five minutes
  order_count   integer     orders with a leg of the part
  contracts     bigint      contracts of these legs
  delta_musd    double?     delta that customers bought less what they sold, on average, $M of index
  delta_lo_musd double?     lower end of its 90 % interval
  delta_hi_musd double?     upper end
  delta_share   double?     share of the contracts whose delta is priced; below 0.9 none is stated
  delta_reason  varchar?    why delta is null: 'no_orders' or 'unpriced'
  gamma_musd_per_point double? gamma that they bought less what they sold, $M per index point
  gamma_lo_musd_per_point double? lower end of its 90 % interval
  gamma_hi_musd_per_point double? upper end
  gamma_share   double?     as delta_share; an expiry's last half hour has no gamma
  gamma_reason  varchar?    as delta_reason`),
  },
  {
    name: 'basis',
    grain: 'session_date, minute_et, contract',
    meaning: 'What futures stood above the index.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  contract      varchar     future, such as ESZ6
  basis         double?     median of future less index in the minute before, index points
  reason        varchar?    why basis is null: 'no_future' or 'no_index'
  price_count   integer     prices of the future that the median is of
  volume        double?     contracts traded in that minute; null where the tape does not say`),
  },
  {
    name: 'forwards',
    grain: 'session_date, minute_et, root, expiry',
    meaning: 'The forward of every expiry at every minute, by put-call parity.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute, HH:MM
  root          varchar     SPX or SPXW, or the root the vendor names
  expiry        date        expiration date
  seconds_left  bigint      seconds to the expiry's instant
  forward       double?     index points, weighted median of the parity pairs
  discount      double?     discount factor to the expiry; null once expired
  discount_source varchar   'curve', or 'none' where no curve is known and it is 1
  pair_count    integer     strikes with a usable call and put
  forward_mad   double?     median distance of the pairs from the median, index points
  forward_low   double?     highest bound from below of a strike's bid and ask
  forward_high  double?     lowest bound from above; under forward_low where quotes disagree
  reason        varchar?    why forward is null`),
  },
  {
    name: 'inventory',
    shared: false,
    grain: 'session_date, root, expiry, strike, option_type',
    meaning: "Dealers' position at the open and how it is known.",
    columns: columns(`
  session_date  date        ET trading day
  ${CONTRACT}
  quantity      double      contracts, dealers long above zero; expected ones may be fractions
  source        varchar     'measured' (imported), 'carried' or 'open_interest' (side unknown)
  guessed_quantity double?  contracts beside that of which nobody knows the side; null: how many
  deviation_quantity double one standard deviation of quantity, contracts`),
  },
  {
    name: 'inventory_shares',
    grain: 'session_date, source',
    meaning: 'How much of the opening inventory each source gave.',
    columns: columns(`
  session_date  date        ET trading day
  source        varchar     as in inventory
  contract_count integer    listed contracts from this source
  open_contracts bigint     sum of their open interest, of positions where that is unknown
  share         double?     of that of all sources`),
  },
  {
    name: 'closing_positions',
    shared: false,
    grain: 'session_date, root, expiry, strike, option_type',
    meaning: "Dealers' position at the close, carried into the next session's book.",
    columns: columns(`
  session_date  date        ET trading day
  ${CONTRACT}
  quantity      double      contracts, dealers long above zero; expected ones may be fractions
  open_source   varchar?    where the opening part came from; null when all of it is today's flow
  guessed_quantity double?  contracts of which nobody knows the side; null: unknown how many
  measured_quantity double? open interest that is measured at most: what is above it tomorrow is a guess
  deviation_quantity double one standard deviation of quantity, contracts
  sessions_carried integer  sessions in a row whose flow is in it, this one too
  balance_quantity double?  how far one logit more of buyers would move quantity
  rate_quantity double?     how far one standard deviation of the rates of sides would move it`),
  },
  {
    name: 'position_changes',
    shared: false,
    grain: 'session_date, root, expiry, strike, option_type',
    meaning: "What the session's prints added to the dealers' positions.",
    columns: columns(`
  session_date  date        ET trading day
  ${CONTRACT}
  dealer_quantity double    contracts on average, dealers long above zero
  variance      double      of dealer_quantity, contracts squared
  contracts     double      contracts traded
  balance_quantity double?  how far one logit more of buyers would move dealer_quantity
  rate_quantity double?     how far one standard deviation of the rates of sides would move it`),
  },
  {
    name: 'closing_index',
    grain: 'session_date',
    meaning: 'The index at the close, which the next session takes as its previous close.',
    columns: columns(`
  session_date  date        ET trading day
  symbol        varchar     product of the session
  minute_et     varchar     'HH:MM' of the PM close, ET
  minute_at     timestamp   UTC instant of the PM close
  seconds_left  integer     0: none are left to the PM close
  spot          double?     the last index before it, index points
  spot_source   varchar?    'index', or 'parity': by put-call parity; null where spot is
  spot_error    double?     one standard deviation of spot, index points; null but for 'parity'`),
  },
  {
    name: 'stats',
    grain: 'session_date',
    meaning: 'Counts of the ledger: orders at or above the premium floor.',
    columns: columns(`
  session_date  date        ET trading day
  min_premium_usd double    the floor, gross premium
  order_count   integer     orders in the ledger
  net_premium_usd double    sum of the net premiums' magnitudes
  no_side_count integer     orders the package rule could not orient
  no_gamma_count integer    orders without a dealer gamma
  gamma_up_count integer    orders that added dealer gamma
  gamma_down_count integer    orders that removed dealer gamma
  gamma_flat_count integer  orders that added none`),
  },
  TAPE_REPORT,
  ...JUDGED_DATASETS,
  ...LAB_DATASETS,
  ...GRADE_DATASETS,
  ...EDITION_DATASETS,
]

export const PUBLISHED_DATASETS: readonly Dataset[] = MODELLED_DATASETS.map(addInstants)

/** The datasets that a build makes: all but the record of its own editions. */
export const BUILT_DATASETS: readonly Dataset[] = PUBLISHED_DATASETS.filter(
  ({ name }) => name !== RESTATEMENTS,
)

/** The datasets whose files a server gives to others; `sharesPrints`: also those of the tape. */
export const sharedDatasets = (sharesPrints: boolean): readonly Dataset[] =>
  PUBLISHED_DATASETS.filter(({ shared = true }) => shared || sharesPrints)
