import { normalCdf } from '../../src/core/market/normal.ts'

/**
 * Exact prices of the simulated market of LAB: the logarithm of the index moves by normal steps
 * with variances known in advance, and by rare jumps down. So the price of an option is a sum of
 * Black-76 prices, one for each number of jumps that can still come.
 */

/** Probability of a jump in a minute of trading, and in a night. */
export const MINUTE_JUMP = 0.1 / 390
export const NIGHT_JUMP = 0.04
/** Mean and standard deviation of a jump, in logarithm. */
export const JUMP_MEAN = -0.006
export const JUMP_DEVIATION = 0.007

const JUMP_GROWTH = Math.exp(JUMP_MEAN + JUMP_DEVIATION ** 2 / 2)
/** Drift of the logarithm in each minute and night that leaves the index fair despite the jumps. */
export const MINUTE_DRIFT = -Math.log(1 + MINUTE_JUMP * (JUMP_GROWTH - 1))
export const NIGHT_DRIFT = -Math.log(1 + NIGHT_JUMP * (JUMP_GROWTH - 1))

/** Variance of the normal steps, and expected jumps, from an instant to an expiry. */
export type StillToCome = {
  readonly variance: number
  readonly minutes: number
  readonly nights: number
}

/** One number of jumps: its probability, by how much it moves ln(forward), its deviation. */
export type JumpOutcome = {
  readonly weight: number
  readonly shift: number
  /** exp(shift). */
  readonly growth: number
  readonly deviation: number
}

/** Numbers of jumps that are less likely are left out: worth a hundred-thousandth of a point. */
const LEAST_WEIGHT = 1e-7

/** The distribution of ln(index at expiry / forward), as normal outcomes whose mean index is 1. */
export function jumpOutcomes({ variance, minutes, nights }: StillToCome): JumpOutcome[] {
  const drift = minutes * MINUTE_DRIFT + nights * NIGHT_DRIFT
  const weights = jumpCounts(minutes, nights)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = weights.reduce(
    (sum, weight, jumps) => sum + (weight / total) * Math.exp(drift) * JUMP_GROWTH ** jumps,
    0,
  )
  return weights.map((weight, jumps) => {
    const shift = drift + jumps * Math.log(JUMP_GROWTH) - Math.log(mean)
    const deviation = Math.sqrt(variance + jumps * JUMP_DEVIATION ** 2)
    return { weight: weight / total, shift, growth: Math.exp(shift), deviation }
  })
}

/** Probabilities of 0, 1, 2, ... jumps: minutes are binomial, and so are nights. */
function jumpCounts(minutes: number, nights: number): number[] {
  const inMinutes = binomial(minutes, MINUTE_JUMP)
  const inNights = binomial(nights, NIGHT_JUMP)
  const counts = new Array<number>(inMinutes.length + inNights.length - 1).fill(0)
  inMinutes.forEach((a, i) => {
    inNights.forEach((b, j) => {
      counts[i + j]! += a * b
    })
  })
  while (counts.length > 1 && counts.at(-1)! < LEAST_WEIGHT) counts.pop()
  return counts
}

function binomial(trials: number, probability: number): number[] {
  const counts = [(1 - probability) ** trials]
  const odds = probability / (1 - probability)
  for (let k = 1; k <= trials; k++) {
    const next = (counts[k - 1]! * odds * (trials - k + 1)) / k
    if (next < LEAST_WEIGHT) break
    counts.push(next)
  }
  return counts
}

/** Undiscounted value of the out-of-the-money option of a strike, index points. */
export function timeValue(
  outcomes: readonly JumpOutcome[],
  forward: number,
  strike: number,
  /** ln(forward / strike). */
  distance: number,
): number {
  let value = 0
  for (const { weight, shift, growth, deviation } of outcomes) {
    const d1 = (distance + shift) / deviation + deviation / 2
    const moved = forward * growth
    value +=
      weight *
      (strike < forward
        ? strike * normalCdf(deviation - d1) - moved * normalCdf(-d1)
        : moved * normalCdf(d1) - strike * normalCdf(d1 - deviation))
  }
  return value
}

/** Mean of the square of index / forward - 1 at expiry. */
export function relativeVariance(outcomes: readonly JumpOutcome[]): number {
  return outcomes.reduce(
    (sum, { weight, growth, deviation }) =>
      sum + weight * (growth ** 2 * Math.exp(deviation ** 2) - 2 * growth + 1),
    0,
  )
}

const STEPS_MAX = 60

/**
 * The one deviation (volatility x root of years) at which Black-76 gives the out-of-the-money
 * value; `near` is where the search begins, such as the deviation of the next strike.
 */
export function impliedDeviation(
  value: number,
  forward: number,
  strike: number,
  distance: number,
  near: number,
): number {
  let deviation = near
  for (let step = 0; step < STEPS_MAX; step++) {
    const d1 = distance / deviation + deviation / 2
    const priced =
      strike < forward
        ? strike * normalCdf(deviation - d1) - forward * normalCdf(-d1)
        : forward * normalCdf(d1) - strike * normalCdf(d1 - deviation)
    const slope = forward * Math.exp(-0.5 * d1 * d1) * 0.3989422804014327
    // Newton on the logarithm of the price, which is nearly straight far from the money
    const change = priced > 0 ? (priced * Math.log(value / priced)) / slope : deviation
    const limitedStep = Math.max(-0.5 * deviation, Math.min(deviation, change))
    deviation += limitedStep
    if (Math.abs(limitedStep) < 1e-10 * deviation) break
  }
  return deviation
}
