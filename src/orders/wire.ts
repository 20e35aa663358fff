import type { SessionDate } from '../core/market/calendar.ts'
import type { Gap } from '../data/published/freshness.ts'
import { finite, type LedgerOrder, ORDER, toMusd } from './orderFields.ts'
import type { WireLedger, WireOrder } from './schema.ts'

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

/** Response for a day without a ledger. */
export const emptyLedger = (day: SessionDate, note: string): WireLedger => ({
  day,
  asof: null,
  orders: [],
  note,
})

const wireOrder = (order: LedgerOrder): WireOrder =>
  Object.fromEntries(
    Object.entries(ORDER).map(([name, { column, send }]) => {
      const value = order[column]
      return [name, value === null ? null : send(value as never)]
    }),
  ) as WireOrder

function wireStats(stats: LedgerStats, orderCount: number) {
  const { gamma_up_count: up, gamma_down_count: down, gamma_flat_count: flat } = stats
  const counted = up + down + flat + stats.no_gamma_count
  if (stats.order_count !== orderCount || counted !== orderCount) {
    const seen = `${stats.order_count} orders and ${counted} gammas`
    throw new Error(`ledger stats count ${seen} of ${orderCount} orders`)
  }
  return {
    n: stats.order_count,
    net: toMusd(stats.net_premium_usd),
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
