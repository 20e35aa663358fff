import type { OrderSearch, OrderSort } from './ask.ts'
import type { WireOrder } from './schema.ts'

/** Filters and sorts the orders of a ledger, and returns a page of them. */

type Page = { readonly matched: number; readonly orders: readonly WireOrder[] }

/**
 * Returns the matching orders, the largest first, unknown values last. Ties stay in the order of
 * the ledger.
 */
export function searchOrders(orders: readonly WireOrder[], by: OrderSearch): Page {
  const found = orders.filter(order => passes(order, by))
  const sorted = by.sort === 'effect' ? found : found.toSorted(SORTS[by.sort])
  return { matched: found.length, orders: sorted.slice(by.start, by.start + by.count) }
}

function passes(order: WireOrder, by: OrderSearch): boolean {
  const { kind, side, exp, minPremium, minGamma = null } = by
  return (
    (kind === null || order.kind === kind) &&
    (exp === null || order.exp === exp) &&
    (side === null || findSide(order) === side) &&
    // an unknown premium does not pass a minimum
    (minPremium === null || (order.net !== null && order.net >= minPremium)) &&
    (minGamma === null || (order.g !== null && Math.abs(order.g) >= minGamma))
  )
}

/** Returns what the customer did with the first leg of an order. */
function findSide({ lg }: Pick<WireOrder, 'lg'>): 'bought' | 'sold' | 'none' {
  const sign = lg[0]?.[2] ?? 0
  if (sign === 0) return 'none'
  return sign > 0 ? 'bought' : 'sold'
}

type Compare = (one: WireOrder, other: WireOrder) => number

const down =
  (readFigure: (order: WireOrder) => number | null): Compare =>
  (one, other) => {
    const [first, second] = [readFigure(one), readFigure(other)]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return second - first
  }

const SORTS: Readonly<Record<Exclude<OrderSort, 'effect'>, Compare>> = {
  // the id continues with the instant of the first print
  time: (one, other) => compareText(one.t, other.t) || compareText(one.oid, other.oid),
  premium: down(order => order.net),
  contracts: down(order => order.contracts),
  // nearest to the flip first
  flip: down(order => (order.flip === null ? null : -order.flip)),
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The values of a field, the most frequent first. */
export function listChoices(values: readonly (string | null)[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .toSorted(([one, count], [other, more]) => more - count || compareText(one, other))
    .map(([value]) => value)
}
