/** The chance that the next twenty trades lose: sessions are drawn until twenty are there. */

import { bySession, type Result, total } from './plain.ts'
import type { Splitmix } from './splitmix.ts'

/** How many of the draws lose, and in how many the sum is too near to zero to tell its sign. */
export function lossesOfTwenty(
  results: readonly Pick<Result, 'session' | 'r'>[],
  draws: number,
  chance: Splitmix,
) {
  const sessions = bySession(results).map(session => session.map(({ r }) => r))
  let [losses, even] = [0, 0]
  for (let draw = 0; draw < draws; draw++) {
    const drawn: number[] = []
    while (drawn.length < 20) drawn.push(...sessions[chance.index(sessions.length)]!)
    const sum = total(drawn.slice(0, 20))
    if (Math.abs(sum) < 1e-9) even++
    else if (sum < 0) losses++
  }
  return { losses, even }
}

/**
 * The same chance for single trades, each a session: the distribution of the sum of twenty, by
 * adding one trade at a time. Results are whole hundredths.
 */
export function exactLossOfTwenty(hundredths: readonly number[]): number {
  let sums = new Map([[0, 1]])
  for (let trade = 0; trade < 20; trade++) {
    const next = new Map<number, number>()
    for (const [sum, share] of sums)
      for (const one of hundredths)
        next.set(sum + one, (next.get(sum + one) ?? 0) + share / hundredths.length)
    sums = next
  }
  return total([...sums].filter(([sum]) => sum < 0).map(([, share]) => share))
}
