import type { Random } from '../../pipelines/simulate/random.ts'
import type { Row } from '../../src/core/engine/database.ts'
import { findInstant, listMicroseconds } from './adjacentTapes.ts'

/** Numbers for prints that stand in the order of time, as a vendor may give them. */
type Numbering = (rows: readonly Row[], random: Random) => number[]

const CHANNEL_NUMBERS = 2 ** 26

/** Ways in which a vendor's numbers are no order of time. */
export const NUMBERINGS: Readonly<Record<string, Numbering>> = {
  'in any order': (rows, random) => {
    const keys = rows.map((_, index) => ({ key: random.uniform(), number: index + 1 }))
    return keys.sort((a, b) => a.key - b.key).map(({ number }) => number)
  },
  // the sign changes in the middle of the tape
  'of 32 bits with a sign': rows =>
    rows.map((_, index) => (2 ** 31 - 1 + 1_000 * (index - (rows.length >> 1))) | 0),
  'of a channel and its counter': (rows, random) =>
    rows.map((_, index) => random.integer(0, 31) * CHANNEL_NUMBERS + index),
  'counted by contract': rows => {
    const counts = new Map<string, number>()
    return rows.map(({ root, expiry, strike, option_type }) => {
      const contract = [root, expiry, strike, option_type].join(' ')
      const count = (counts.get(contract) ?? 0) + 1
      counts.set(contract, count)
      return count
    })
  },
}

/** The rows, which stand in the order of time, under other numbers. */
export function renumber(rows: readonly Row[], name: string, random: Random): Row[] {
  const numbers = NUMBERINGS[name]!(rows, random)
  return rows.map((row, index) => ({ ...row, sequence: numbers[index]! }))
}

/** The same, where numbers still rise among the prints of one instant. */
export function renumberInstants(rows: readonly Row[], name: string, random: Random): Row[] {
  const renumbered = renumber(rows, name, random)
  for (const group of Map.groupBy(renumbered, row => row.printed_at).values()) {
    const rising = group.map(row => Number(row.sequence)).sort((a, b) => a - b)
    for (const [index, row] of group.entries()) row.sequence = rising[index]!
  }
  return renumbered
}

/** The rows in the order of time, with numbers that rise. */
export function orderInTime(rows: readonly Row[]): Row[] {
  const inTime = rows.toSorted(
    (a, b) => listMicroseconds(a.printed_at) - listMicroseconds(b.printed_at),
  )
  return inTime.map((row, index) => ({ ...row, sequence: index + 1 }))
}

/** The rows in the order of time, moved by as many microseconds as no two of one instant take. */
export function partInstants(rows: readonly Row[]): Row[] {
  let latestUs = Number.NEGATIVE_INFINITY
  return orderInTime(rows).map(row => {
    const [printedUs, knownUs] = [listMicroseconds(row.printed_at), listMicroseconds(row.known_at)]
    latestUs = Math.max(latestUs + 1, printedUs)
    const knownLaterUs = knownUs - printedUs
    return {
      ...row,
      printed_at: findInstant(latestUs),
      known_at: findInstant(latestUs + knownLaterUs),
    }
  })
}
