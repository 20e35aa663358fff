/**
 * The placebo of a rule once more, with the shuffles of weeks that docs/lab.md describes: its
 * triggers are put on the core's fixed trades of other sessions, one arrangement after the other.
 */

import type { Trade } from '../../../src/lab/engine/trade.ts'
import { differenceT } from './differenceT.ts'
import type { Result } from './plain.ts'
import type { Splitmix } from './splitmix.ts'

type Ended = Trade & Result

/** Shifts every session by k indexes, and by the same from the end. */
export function batches(count: number): number[][] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return indexes.flatMap(shift => [
    indexes.map(index => (index + shift) % count),
    indexes.map(index => (((shift - index) % count) + count) % count),
  ])
}

/** Weeks of five sessions in another order, each time from the order before (Fisher and Yates). */
export function shuffles(count: number, often: number, chance: Splitmix): number[][] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const weeks: number[][] = []
  for (let from = 0; from < count; from += 5) weeks.push(indexes.slice(from, from + 5))
  return Array.from({ length: often }, () => {
    for (let last = weeks.length - 1; last > 0; last--) {
      const other = chance.index(last + 1)
      ;[weeks[last], weeks[other]] = [weeks[other]!, weeks[last]!]
    }
    const order = weeks.flat()
    return indexes.map(index => order.indexOf(index))
  })
}

/** t of the triggers on other sessions; null of too few. */
export function arrangedT(
  core: readonly Ended[],
  sessions: readonly number[],
  targets: readonly number[],
): number | null {
  const fixed = core.filter(({ isFixed }) => isFixed)
  const chosen = core
    .filter(({ isInRule, session }) => isInRule && sessions.includes(session))
    .map(({ session, slot }) => {
      const other = sessions[targets[sessions.indexOf(session)]!]
      return fixed.find(one => one.session === other && one.slot === slot)
    })
  const taken = chosen.filter(one => one !== undefined)
  // a fixed trade that two triggers fall on counts twice for the rule
  const rows = core.map(one => ({ ...one, isInRule: false }))
  const times = taken.map(one => ({ ...one, isInRule: true }))
  return weightedT(rows, times)
}

/** As differenceT, of a rule whose trades are paired with those of the core. */
function weightedT(core: readonly Result[], rule: readonly Result[]): number | null {
  if (new Set(rule.map(({ session }) => session)).size < 2) return null
  const mean = (some: readonly Result[]) => some.reduce((sum, { r }) => sum + r, 0) / some.length
  const [ruleMean, coreMean] = [mean(rule), mean(core)]
  const sessions = [...new Set(core.map(({ session }) => session))]
  const pull = (some: readonly Result[], session: number, middle: number) =>
    some.filter(one => one.session === session).reduce((sum, { r }) => sum + r - middle, 0) /
    some.length
  const squares = sessions.map(
    session => (pull(rule, session, ruleMean) - pull(core, session, coreMean)) ** 2,
  )
  const scale = sessions.length / (sessions.length - 1)
  const error = Math.sqrt(scale * squares.reduce((sum, one) => sum + one, 0))
  const largest = Math.max(...core.map(({ r }) => Math.abs(r)))
  return error <= 1e-12 * largest ? null : (ruleMean - coreMean) / error
}

/** All reported t, the rule's own first; `often` shuffles, 0 of a coarse threshold. */
export function otherPlacebos(
  core: readonly Ended[],
  sessions: readonly number[],
  often: number,
  chance: Splitmix,
): { own: number; turned: number[]; shuffled: number[] } | null {
  const found = differenceT(core)
  if (found === null) return null
  const reported = (all: readonly number[][]) =>
    all.map(one => arrangedT(core, sessions, one)).filter(t => t !== null)
  const count = sessions.length
  const turned = reported(batches(count).slice(1))
  return { own: found.t, turned, shuffled: reported(shuffles(count, often, chance)) }
}
