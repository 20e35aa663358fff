/** Units and signs of the columns, as files state them: by the name of a column, in any dataset. */

import type { Column, Dataset } from './datasets.ts'

/** Day of the last change of the published columns: files that state it have all of them. */
export const SCHEMA_EDITION = '2026-11-28'

const LICENCE =
  'LicenseRef-UNLICENSED: all rights reserved; ask whom you have the file from what may be passed on'
const SOURCE =
  'computed by Tapefold from the trade tape of the session; its manifest names every input, and ' +
  'whether they are simulated'

/** Columns of a unit, by name. */
const UNITS: readonly (readonly [unit: string, names: string])[] = [
  [
    'index points',
    `net_price spot flip flip_distance_points convention_flip convention_distance_points spot_error
     strike average_price price best_bid best_ask underlying_price flip_roots call_wall put_wall
     expected_move_points session_expected_move_points flip_lo flip_hi index_point basis forward
     forward_mad forward_low forward_high open previous_close quoted_strike_low quoted_strike_high
     smile_strikes strikes call_bid call_ask put_bid put_ask settlement settlement_error
     forward_gap_p90`,
  ],
  ['index points squared', 'expected_variance_points realised_variance_points'],
  ['USD', 'gross_premium_usd net_premium_usd premium_usd min_premium_usd'],
  [
    'million USD per index point',
    `dealer_gamma_musd_per_point net_gamma_musd_per_point net_gamma_deviation_musd call_musd
     put_musd gamma_musd gamma_deviation_musd gamma_musd_per_point gamma_lo_musd_per_point
     gamma_hi_musd_per_point`,
  ],
  ['million USD of index', 'delta_musd delta_deviation_musd delta_lo_musd delta_hi_musd'],
  ['million USD per vol point', 'vanna_musd vanna_deviation_musd'],
  ['million USD per calendar day', 'charm_musd charm_deviation_musd'],
  [
    'contracts',
    `contracts bid_size ask_size volume quantity guessed_quantity deviation_quantity open_contracts
     measured_quantity dealer_quantity`,
  ],
  ['contracts squared', 'variance'],
  ['per index point', 'gamma'],
  ['per year', 'implied_vol'],
  ['years times variance', 'smile_total_variances total_variances'],
  [
    'seconds',
    'seconds_left session_seconds quote_age_median_s quote_age_p99_s call_age_s put_age_s',
  ],
  ['sessions', 'sessions_carried dte'],
  [
    'minutes',
    `minutes_expected minutes_present minutes_missing longest_gap_minutes minutes_silent_at_open
     minutes_silent_at_close spot_minutes_missing spot_minutes_parity`,
  ],
  ['share, 0 to 1', 'fold_confidence side_probability p_positive share'],
  ['factor', 'discount'],
  ['deviations', 'side_z'],
  ['logit', 'side_deviation'],
  ['contracts a logit', 'balance_quantity rate_quantity'],
  [
    'count',
    `leg_count print_count pair_count price_count contract_count order_count
     cancels_without_target expiries_without_forward rows_added rows_removed rows_changed`,
  ],
  ['number', 'ledger_rank revision_number leg_number sequence rank edition_from edition_to'],
  ['1, 0 or -1', 'sign package_sign customer_sign own_quote_sign'],
  ['contracts a unit', 'ratio'],
]

/** Units of names that end alike. */
const ENDINGS: readonly (readonly [ending: string, unit: string])[] = [
  ['_share', 'share, 0 to 1'],
  ['_count', 'count'],
]

/** Units of columns of one dataset whose name has another unit elsewhere. */
const OWN_UNITS: Readonly<Record<string, string>> = {
  'prints.size': 'contracts',
  'orders.size': 'package units',
  'revisions.size': 'package units',
}

const LONG = 'above zero: dealers are long'
const GAMMA = 'above zero: dealers buy as the index falls and sell as it rises'
const CUSTOMERS = 'above zero: customers bought more than they sold'

/** Meanings of signs, by the names of the columns that have one. */
const SIGNS: readonly (readonly [sign: string, names: string])[] = [
  [GAMMA, `dealer_gamma_musd_per_point net_gamma_musd_per_point call_musd put_musd gamma_musd`],
  [LONG, 'quantity dealer_quantity delta_musd'],
  ['above zero: the delta of dealers rises with it', 'vanna_musd charm_musd'],
  ['1: the customer bought, -1: sold, 0: not known', 'sign customer_sign own_quote_sign'],
  ['1: as the first leg, -1: against it', 'package_sign'],
  ['above zero: paid for the package with its first leg bought', 'net_price'],
  ['above zero: printed above the middle of the package', 'side_z'],
  ['above zero: the future stands above the index', 'basis'],
]
const FLOWS = `delta_musd delta_lo_musd delta_hi_musd gamma_musd_per_point gamma_lo_musd_per_point
  gamma_hi_musd_per_point`

const split = (names: string): string[] => names.trim().split(/\s+/)
const byName = (rows: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([value, names]) => split(names).map(name => [name, value])))

const UNIT_BY_NAME = byName(UNITS)
const SIGN_BY_NAME = byName(SIGNS)

const UNIT_BY_TYPE: Readonly<Record<string, string>> = {
  date: 'day in New York',
  timestamp: 'UTC, stated without a zone',
  timestamptz: 'instant, zone UTC',
}

/** Returns the unit of a column of a dataset; null for text and truth values. */
export function findUnit(dataset: string, { name, type }: Column): string | null {
  if (name === 'minute_et') return 'HH:MM in New York'
  if (/^(varchar|boolean)/.test(type)) return null
  return (
    UNIT_BY_TYPE[type] ??
    OWN_UNITS[`${dataset}.${name}`] ??
    UNIT_BY_NAME.get(name) ??
    ENDINGS.find(([ending]) => name.endsWith(ending))?.[1] ??
    null
  )
}

/** Returns the meaning of a column's sign; null where it has none. */
export function findSign(dataset: string, { name }: Column): string | null {
  if (dataset === 'flow' && split(FLOWS).includes(name)) return CUSTOMERS
  return SIGN_BY_NAME.get(name) ?? null
}

/** Columns by which the rows of a file are sorted, nulls last. */
export const sortColumns = ({ sort, grain }: Dataset): readonly string[] =>
  (sort ?? grain).split(', ')

/**
 * Returns the key-value metadata of a file. It depends on the dataset alone, so
 * equal rows make equal bytes.
 */
export function fileMetadata(dataset: Dataset): Readonly<Record<string, string>> {
  const { name, meaning, grain, columns } = dataset
  const described = columns.map(column => {
    const [unit, sign] = [findUnit(name, column), findSign(name, column)]
    return { name: column.name, ...(unit && { unit }), ...(sign && { sign }) }
  })
  return {
    'tapefold.dataset': name,
    'tapefold.meaning': meaning,
    'tapefold.schema_edition': SCHEMA_EDITION,
    'tapefold.grain': grain,
    'tapefold.sort_order': sortColumns(dataset).join(', '),
    'tapefold.columns': JSON.stringify(described),
    'tapefold.licence': LICENCE,
    'tapefold.source': SOURCE,
  }
}
