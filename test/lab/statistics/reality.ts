/** White's reality check (2000) with the stationary bootstrap of Politis and Romano (1994). */

import { average } from './plain.ts'
import type { Splitmix } from './splitmix.ts'

/** Indexes of sessions, in runs of 1 / `jump` on average, round and round. */
export function stationaryPath(count: number, jump: number, chance: Splitmix): number[] {
  const path: number[] = []
  let index = Math.floor(chance.share() * count)
  for (let step = 0; step < count; step++) {
    path.push(index)
    const isJump = chance.share() < jump
    index = isJump ? Math.floor(chance.share() * count) : (index + 1) % count
  }
  return path
}

/** Rows are sessions, columns what each variant gains on its core. */
export function realityCheck(
  rows: readonly (readonly number[])[],
  jump: number,
  draws: number,
  chance: Splitmix,
) {
  const root = Math.sqrt(rows.length)
  const columns = rows[0]!.map((_, variant) => rows.map(row => row[variant]!))
  const means = columns.map(average)
  const best = Math.max(...means.map(mean => root * mean))
  // what is as good but for rounding is as good
  const limit = best - 1e-9 * Math.max(1, Math.abs(best))
  let asGood = 0
  for (let draw = 0; draw < draws; draw++) {
    const path = stationaryPath(rows.length, jump, chance)
    const lucky = columns.map(
      (column, variant) => root * (average(path.map(index => column[index]!)) - means[variant]!),
    )
    if (Math.max(...lucky) >= limit) asGood++
  }
  return { best, p: asGood / draws }
}
