import { toDecimals } from '../core/text/values.ts'
import type { LedgerSummary } from './ask.ts'
import type { WireLedger, WireOrder } from './schema.ts'

/** Maximum number of orders listed in each direction. */
const TOP = 5
/** Sums are rounded to one dollar, as single orders are. */
const DECIMALS = 6

/** Summary of a ledger: its counts, its structures, and the orders with the largest effect. */
export function summarize(ledger: WireLedger): Omit<LedgerSummary, 'revision'> {
  const { asof, simulated = false, note, orders, stats, tape } = ledger
  const up = orders.filter(({ g }) => g !== null && g > 0)
  const down = orders.filter(({ g }) => g !== null && g < 0)
  return {
    asof,
    simulated,
    note,
    stats: stats ?? null,
    grade: tape?.grade ?? null,
    structures: countStructures(orders),
    // a ledger has the largest first
    up: up.slice(0, TOP),
    down: down.slice(0, TOP),
  }
}

function countStructures(orders: readonly WireOrder[]): LedgerSummary['structures'] {
  const groups = [...Map.groupBy(orders, ({ kind }) => kind)].map(([kind, those]) => ({
    kind,
    orders: those.length,
    net: sum(those.map(({ net }) => net)),
    gamma: sum(those.map(({ g }) => g)),
  }))
  return groups.toSorted(
    (one, other) => other.orders - one.orders || (one.kind < other.kind ? -1 : 1),
  )
}

/** The sum of the known values. */
const sum = (values: readonly (number | null)[]): number =>
  toDecimals(
    values.reduce<number>((total, value) => total + (value ?? 0), 0),
    DECIMALS,
  )
