/** Where two ledgers differ, in words: of every figure, by more than 1e-9. */

import type { Missed, Trade, TradeLedger } from '../../src/lab/engine/trade.ts'

const TOLERANCE = 1e-9

/** Differences of two ledgers, at most a few of each; none: they say the same. */
export function ledgerDifferences(engine: TradeLedger, reference: TradeLedger): string[] {
  return [
    ...listed('missed', engine.missed, reference.missed),
    ...listed('trade', engine.trades.map(sorted), reference.trades.map(sorted)),
  ]
}

/** Legs in one order: which comes first says nothing. */
function sorted(trade: Trade): Trade {
  const findKey = ({ type, strike, sign }: Trade['legs'][number]) => `${type} ${strike} ${sign}`
  return { ...trade, legs: trade.legs.toSorted((a, b) => (findKey(a) < findKey(b) ? -1 : 1)) }
}

const SHOWN_MAX = 5

function listed(what: string, a: readonly (Trade | Missed)[], b: readonly (Trade | Missed)[]) {
  const findKey = (row: Trade | Missed) => `${row.ruleLeg} ${row.session} ${row.decidedAt}`
  const order = [a, b].map(rows => rows.map(findKey))
  const isSameOrder = order[0]!.join() === order[1]!.join()
  const others = new Map(b.map(row => [findKey(row), row]))
  const own = new Set(order[0])
  const found = a.flatMap(row => {
    const other = others.get(findKey(row))
    if (!other) return [`${what} ${findKey(row)} is the engine's alone: ${JSON.stringify(row)}`]
    return differing(row, other).map(text => `${what} ${findKey(row)}${text}`)
  })
  const lacking = b.filter(row => !own.has(findKey(row)))
  return [
    ...found.slice(0, SHOWN_MAX),
    ...lacking
      .slice(0, SHOWN_MAX)
      .map(row => `${what} ${findKey(row)} is the reference's alone: ${JSON.stringify(row)}`),
    ...(isSameOrder || found.length + lacking.length > 0
      ? []
      : [`${what}s stand in another order`]),
  ]
}

function differing(a: unknown, b: unknown, path = ''): string[] {
  if (typeof a === 'number' && typeof b === 'number') {
    const isSame = Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b))
    return isSame ? [] : [`${path}: ${a}, reference ${b}`]
  }
  const isInner = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
  if (!isInner) return a === b ? [] : [`${path}: ${a}, reference ${b}`]
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return names.flatMap(name => differing(one[name], other[name], `${path}.${name}`))
}
