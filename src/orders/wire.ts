import type { SessionDate } from '../core/market/calendar.ts'
import { toDecimals, toDigits } from '../core/text/values.ts'
import type { Gap } from '../data/published/freshness.ts'
import type { WireLedger, WireOrder } from './schema.ts'

/** Significant digits of `g`: a tiny gamma never rounds to zero. */
const GAMMA_DIGITS = 10
/** Decimals of `flip`, index points. */
const FLIP_DECIMALS = 7
/** Decimals of `net`, $M: one dollar. */
const NET_DECIMALS = 6
const USD_PER_MILLION = 1_000_000

export type LedgerLeg = {
  readonly strike: number
  readonly option_type: string
  readonly customer_sign: number
}

/** An order of the ledger stage. */
export type LedgerOrder = {
  readonly order_id: string
  readonly minute_et: string
  readonly dealer_gamma_musd_per_point: number | null
  readonly gamma_null_reason: string | null
  readonly structure: string
  readonly legs_text: string
  readonly legs: readonly LedgerLeg[]
  readonly main_expiry: SessionDate | null
  readonly size: number | null
  readonly contracts: number | null
  /** Unsigned. */
  readonly net_premium_usd: number | null
  readonly flip_distance_points: number | null
  readonly flip_side: string | null
  readonly fold_confidence: number | null
  readonly fold_basis: string
  readonly flags: readonly string[]
  /** Probability that the customer bought the package, that is its first leg. */
  readonly side_probability: number | null
  /** Reason why the signs of its legs are 0; null when they are not. */
  readonly side_reason: string | null
  /** The rule that closed the group of its prints. */
  readonly fold_rule: string
  readonly print_count: number
  /** As flip_distance_points and flip_side, to the flip of the convention, book 'oi'. */
  readonly convention_distance_points: number | null
  readonly convention_side: string | null
}

/** Counts of the whole session. */
export type LedgerStats = {
  readonly order_count: number
  readonly net_premium_usd: number
  readonly no_side_count: number
  readonly no_gamma_count: number
  readonly gamma_up_count: number
  readonly gamma_down_count: number
  readonly gamma_flat_count: number
}

export type LedgerInput = {
  readonly day: SessionDate
  /** Product of the tape, such as 'SPX'. */
  readonly symbol: string
  readonly min_premium_usd: number
  /** 'HH:MM:SS' ET. */
  readonly asof: string
  readonly is_simulated: boolean
  /** Grade of the tape report; absent before the whole tape is known. */
  readonly tape?: {
    readonly grade: 'good' | 'doubtful' | 'bad'
    readonly reasons: readonly string[]
  }
  /** Number of prints of its tape that an audit excluded from all orders. */
  readonly set_apart_count?: number
  /** Known stretches without prints; absent when they were not stored. */
  readonly gaps?: readonly Gap[]
  /** Sorted by absolute gamma, largest first, unpriced ones last. */
  readonly orders: readonly LedgerOrder[]
  readonly stats: LedgerStats
}

/** Converts a ledger to the format of the API; its numbers are rounded only here. */
export function wireLedger(input: LedgerInput): WireLedger {
  const orders = input.orders.map(wireOrder)
  checkSorted(orders)
  return {
    day: input.day,
    ...(input.symbol === 'SPX' ? { sym: 'SPX' as const } : {}),
    min_premium: finite(input.min_premium_usd),
    asof: input.asof,
    book: 'measured',
    simulated: input.is_simulated,
    ...formatTape(input),
    orders,
    stats: wireStats(input.stats, orders.length),
    ...formatNote(input),
  }
}

/** Tape fields: before the tape is whole only its gaps, if there are any. */
function formatTape({ tape, gaps }: LedgerInput): Pick<WireLedger, 'tape'> {
  const gapRows = gaps?.map(({ from, to, minutes }) => ({ from, to, minutes }))
  if (!tape) return gapRows && gapRows.length > 0 ? { tape: { gaps: gapRows } } : {}
  const { grade, reasons } = tape
  return { tape: { grade, reasons: [...reasons], ...(gapRows && { gaps: gapRows }) } }
}

/**
 * Note on a ledger whose tape is bad, for clients that ignore the grade, and on one from which an
 * audit excluded prints; null for any other.
 */
export function tapeNote(
  day: SessionDate,
  grade: 'good' | 'doubtful' | 'bad' | undefined,
  setApart = 0,
): string | null {
  const notes = [
    ...(grade === 'bad' ? [`The tape of ${day} is bad: do not rely on this ledger.`] : []),
    ...(setApart > 0 ? [`Prints that an audit set apart, in no order here: ${setApart}.`] : []),
  ]
  return notes.length > 0 ? notes.join(' ') : null
}

function formatNote({ day, tape, set_apart_count }: LedgerInput): { readonly note?: string } {
  const note = tapeNote(day, tape?.grade, set_apart_count)
  return note === null ? {} : { note }
}

/** The ledger as JSON text; the same rows yield the same text. */
export const renderLedger = (input: LedgerInput): { json: string } => ({
  json: JSON.stringify(wireLedger(input)),
})

/** Response for a day without a ledger. */
export const emptyLedger = (day: SessionDate, note: string): WireLedger => ({
  day,
  asof: null,
  orders: [],
  note,
})

function wireOrder(order: LedgerOrder): WireOrder {
  return {
    oid: order.order_id,
    t: order.minute_et,
    g: mapNull(order.dealer_gamma_musd_per_point, gamma => toDigits(finite(gamma), GAMMA_DIGITS)),
    g_null: order.gamma_null_reason,
    kind: order.structure,
    legs: order.legs_text,
    lg: order.legs.map(leg => [
      finite(leg.strike),
      leg.option_type as 'C' | 'P',
      leg.customer_sign as -1 | 0 | 1,
    ]),
    exp: order.main_expiry,
    size: mapNull(order.size, finite),
    contracts: mapNull(order.contracts, finite),
    net: mapNull(order.net_premium_usd, musd),
    flip: mapNull(order.flip_distance_points, points => toDecimals(finite(points), FLIP_DECIMALS)),
    side: order.flip_side as 'over' | 'under' | null,
    confidence: mapNull(order.fold_confidence, finite),
    fold: order.fold_basis as 'conditions' | 'prints',
    flags: [...order.flags],
    p: mapNull(order.side_probability, finite),
    sign_null: order.side_reason,
    rule: order.fold_rule,
    prints: finite(order.print_count),
    flip_convention: mapNull(order.convention_distance_points, points =>
      toDecimals(finite(points), FLIP_DECIMALS),
    ),
    side_convention: order.convention_side as 'over' | 'under' | null,
  }
}

function wireStats(stats: LedgerStats, orderCount: number) {
  const { gamma_up_count: up, gamma_down_count: down, gamma_flat_count: flat } = stats
  const counted = up + down + flat + stats.no_gamma_count
  if (stats.order_count !== orderCount || counted !== orderCount) {
    const seen = `${stats.order_count} orders and ${counted} gammas`
    throw new Error(`ledger stats count ${seen} of ${orderCount} orders`)
  }
  return {
    n: stats.order_count,
    net: musd(stats.net_premium_usd),
    no_side: stats.no_side_count,
    no_gamma: stats.no_gamma_count,
    gamma_up: up,
    gamma_dn: down,
    gamma_flat: flat,
  }
}

function checkSorted(orders: readonly WireOrder[]): void {
  const effect = (order: WireOrder) => (order.g === null ? -1 : Math.abs(order.g))
  for (let index = 1; index < orders.length; index++) {
    const [before, order] = [orders[index - 1]!, orders[index]!]
    if (effect(order) > effect(before)) {
      throw new Error(`ledger order ${order.oid} stands after ${before.oid}, which did less`)
    }
  }
}

const musd = (usd: number): number => toDecimals(finite(usd / USD_PER_MILLION), NET_DECIMALS)

// JSON.stringify would write NaN as null, which has a meaning here
function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`a ledger number is ${value}`)
  return value
}

const mapNull = <Value, Mapped>(
  value: Value | null,
  map: (value: Value) => Mapped,
): Mapped | null => (value === null ? null : map(value))
