/**
 * The placebo of a rule once more, with the shuffles of weeks that docs/lab.md describes: its
 * triggers are put on the core's fixed trades of other sessions, one arrangement after the other.
 */

import type { Trade } from '../../../src/lab/engine/trade.ts'
import { differenceT } from './differenceT.ts'
import { average, type Result, total } from './plain.ts'
import type { Splitmix } from './splitmix.ts'

type Ended = Trade & Result

/** Shifts every session by k indexes, and by the same from the end. */
function batches(count: number): number[][] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return indexes.flatMap(shift => [
    indexes.map(index => (index + shift) % count),
    indexes.map(index => (((shift - index) % count) + count) % count),
  ])
}

/** Weeks of five sessions in another order, each time from the order before (Fisher and Yates). */
function shuffles(count: number, often: number, chance: Splitmix): number[][] {
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

/** As differenceT, of a rule whose trades are paired with those of the core; null of too few. */
function weightedT(core: readonly Result[], rule: readonly Result[]): number | null {
  if (new Set(rule.map(({ session }) => session)).size < 2) return null
  const [ruleMean, coreMean] = [rule, core].map(some => average(some.map(({ r }) => r))) as [
    number,
    number,
  ]
  const pulls = (some: readonly Result[], middle: number) => {
    const sums = new Map<number, number>()
    for (const { session, r } of some) {
      sums.set(session, (sums.get(session) ?? 0) + (r - middle) / some.length)
    }
    return sums
  }
  const [ofRule, ofCore] = [pulls(rule, ruleMean), pulls(core, coreMean)]
  const squares = [...ofCore].map(([session, pull]) => ((ofRule.get(session) ?? 0) - pull) ** 2)
  const error = Math.sqrt((squares.length / (squares.length - 1)) * total(squares))
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
  const fixed = new Map(
    core.filter(({ isFixed }) => isFixed).map(one => [`${one.session} ${one.slot}`, one]),
  )
  const triggers = core.filter(({ isInRule, session }) => isInRule && sessions.includes(session))
  // a fixed trade that two triggers fall on counts twice for the rule
  const arrangedT = (targets: readonly number[]) =>
    weightedT(
      core,
      triggers.flatMap(({ session, slot }) => {
        const target = sessions[targets[sessions.indexOf(session)]!]
        return fixed.get(`${target} ${slot}`) ?? []
      }),
    )
  const reported = (all: readonly number[][]) => all.map(arrangedT).filter(t => t !== null)
  const count = sessions.length
  const turned = reported(batches(count).slice(1))
  return { own: found.t, turned, shuffled: reported(shuffles(count, often, chance)) }
}
