import { createDraws, type Draws } from '../verdict/draws.ts'

/** Tolerance within which two sums are equal: ties count as reached by luck. */
const ROUNDING = 1e-9

/**
 * White's reality check: the probability that the best of all variants beats its baseline by as
 * much through luck alone, by the stationary bootstrap over sessions (Politis and Romano, 1994).
 */
export function realityCheck(options: {
  /** One list per variant: its gain over its baseline, by session. */
  readonly gains: readonly (readonly number[])[]
  /** Probability that a block of sessions ends: 1 / its mean length. */
  readonly q: number
  readonly drawn: number
  readonly seed: bigint
}): { readonly best: number; readonly p: number } {
  const { gains, q, drawn, seed } = options
  const [count, variants] = [gains[0]!.length, gains.length]
  const means = Float64Array.from(gains, gain => gain.reduce((sum, one) => sum + one, 0) / count)
  const best = Math.sqrt(count) * means.reduce((most, mean) => Math.max(most, mean))
  // session by session, so that sessions that are not drawn are skipped
  const rows = new Float64Array(count * variants)
  for (const [variant, gain] of gains.entries()) {
    for (const [session, value] of gain.entries()) rows[session * variants + variant] = value
  }
  const limit = best - ROUNDING * Math.max(1, Math.abs(best))
  const draws = createDraws(seed)
  const times = new Int32Array(count)
  const sums = new Float64Array(variants)
  let reached = 0
  for (let series = 0; series < drawn; series++) {
    times.fill(0)
    sums.fill(0)
    for (const session of drawPath(count, q, draws)) times[session]! += 1
    for (let session = 0; session < count; session++) {
      const often = times[session]!
      if (often === 0) continue
      const from = session * variants
      for (let variant = 0; variant < variants; variant++) {
        sums[variant]! += often * rows[from + variant]!
      }
    }
    let most = -Infinity
    for (let variant = 0; variant < variants; variant++) {
      most = Math.max(most, sums[variant]! / count - means[variant]!)
    }
    if (Math.sqrt(count) * most >= limit) reached += 1
  }
  return { best, p: reached / drawn }
}

/** Draws the session indexes of a bootstrap series: circular blocks, each with a random start. */
export function drawPath(count: number, q: number, draws: Draws): Int32Array {
  const path = new Int32Array(count)
  let session = Math.floor(draws.unit() * count)
  for (let step = 0; step < count; step++) {
    path[step] = session
    session = draws.unit() < q ? Math.floor(draws.unit() * count) : (session + 1) % count
  }
  return path
}
