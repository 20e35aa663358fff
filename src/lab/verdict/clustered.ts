import { studentP } from '../../core/market/student.ts'

/**
 * Means with standard errors clustered by session: a day counts as one observation. statsmodels
 * calls it CRV1; p is of Student t with one degree of freedom fewer than there are sessions.
 */
export type ClusteredTest = {
  /** Null when there are no results. */
  readonly value: number | null
  /** Null with fewer than two sessions. */
  readonly error: number | null
  /** Null also when the error is zero, because nothing differs. */
  readonly t: number | null
  readonly dof: number | null
  readonly p: number | null
}

/** Mean of results, each with the session it belongs to. */
export function testMean(r: readonly number[], sessions: readonly number[]): ClusteredTest {
  const mean = computeMean(r)
  if (mean === null) return untested(null)
  const influences = r.map(value => (value - mean) / r.length)
  return testValue(mean, sumsBySession(influences, sessions), findLargest(r))
}

/** Mean of the rule minus that of its core, of which the rule is a part. */
export function testDifference(
  r: readonly number[],
  sessions: readonly number[],
  isInRule: readonly boolean[],
): ClusteredTest {
  const chosen = r.filter((_, index) => isInRule[index])
  const [ruleMean, coreMean] = [computeMean(chosen), computeMean(r)]
  if (ruleMean === null || coreMean === null) return untested(null)
  const difference = ruleMean - coreMean
  const ruleSessions = new Set(sessions.filter((_, index) => isInRule[index]))
  if (ruleSessions.size < 2) return untested(difference)
  const influences = r.map((value, index) => {
    const ofRule = isInRule[index] ? (value - ruleMean) / chosen.length : 0
    return ofRule - (value - coreMean) / r.length
  })
  return testValue(difference, sumsBySession(influences, sessions), findLargest(r))
}

const untested = (value: number | null): ClusteredTest => ({
  value,
  error: null,
  t: null,
  dof: null,
  p: null,
})

/** Share of the largest result below which an error or a difference is rounding noise. */
const ROUNDING = 1e-12

function testValue(value: number, sums: readonly number[], largest: number): ClusteredTest {
  const count = sums.length
  if (count < 2) return untested(value)
  const variance = (count / (count - 1)) * sums.reduce((sum, one) => sum + one * one, 0)
  const error = Math.sqrt(variance)
  if (error <= ROUNDING * largest) return { ...untested(value), error: 0, dof: count - 1 }
  const t = value / error
  return { value, error, t, dof: count - 1, p: studentP(t, count - 1) }
}

function sumsBySession(values: readonly number[], sessions: readonly number[]): number[] {
  const sums = new Map<number, number>()
  values.forEach((value, index) => {
    const session = sessions[index]!
    sums.set(session, (sums.get(session) ?? 0) + value)
  })
  return [...sums.values()]
}

/**
 * Returns the effective number of independent results: n / deff by the intraclass correlation of
 * the sessions. Null with fewer than two sessions.
 */
export function effectiveCount(r: readonly number[], sessions: readonly number[]): number | null {
  const groups = [...Map.groupBy(r.keys(), index => sessions[index]!).values()]
  const [n, count] = [r.length, groups.length]
  if (count < 2) return null
  const meanSize = groups.reduce((sum, group) => sum + group.length ** 2, 0) / n
  const mean = computeMean(r)!
  let [between, within] = [0, 0]
  for (const group of groups) {
    const own = group.reduce((sum, index) => sum + r[index]!, 0) / group.length
    between += group.length * (own - mean) ** 2
    within += group.reduce((sum, index) => sum + (r[index]! - own) ** 2, 0)
  }
  // one trade per session: no correlation within sessions
  if (n === count) return n
  const size = (n - meanSize) / (count - 1)
  const [meanBetween, meanWithin] = [between / (count - 1), within / (n - count)]
  const total = meanBetween + (size - 1) * meanWithin
  // results that are equal, except for rounding, are perfectly correlated
  const correlation = isVaried(r) ? (meanBetween - meanWithin) / total : 1
  return n / (1 + (meanSize - 1) * Math.max(correlation, 0))
}

function isVaried(r: readonly number[]): boolean {
  const low = r.reduce((least, value) => Math.min(least, value), Infinity)
  const high = r.reduce((most, value) => Math.max(most, value), -Infinity)
  return high - low > ROUNDING * findLargest(r)
}

/** Null for an empty list. */
export const computeMean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const findLargest = (values: readonly number[]) =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
