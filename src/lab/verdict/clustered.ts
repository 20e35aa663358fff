import { studentP } from '../../market/student.ts'

/**
 * Means with errors that are clustered by session: what happens on one day counts as one thing.
 * statsmodels calls it CRV1; p is of Student t with one degree fewer than there are sessions.
 */
export type ClusteredTest = {
  /** Null where there is nothing to take a mean of. */
  readonly value: number | null
  /** Null with fewer than two sessions. */
  readonly error: number | null
  /** Null too where there is no error, since nothing differs. */
  readonly t: number | null
  readonly dof: number | null
  readonly p: number | null
}

/** The mean of results, of which each has the session it belongs to. */
export function testMean(r: readonly number[], sessions: readonly number[]): ClusteredTest {
  const mean = computeMean(r)
  if (mean === null) return untested(null)
  const influences = r.map(value => (value - mean) / r.length)
  return testValue(mean, sumsBySession(influences, sessions), findLargest(r))
}

/** The mean of the rule less that of its core, of which the rule is a part. */
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

/** Below this share of the largest result an error or a difference is of rounding alone. */
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
 * How many results that tell nothing of each other these are worth: n / deff by the intraclass
 * correlation of the sessions. Null with fewer than two sessions.
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
  // one trade a session: none is like another of its session
  if (n === count) return n
  const size = (n - meanSize) / (count - 1)
  const [meanBetween, meanWithin] = [between / (count - 1), within / (n - count)]
  const total = meanBetween + (size - 1) * meanWithin
  // results that are all the same, but for rounding, are as alike as can be
  const correlation = isVaried(r) ? (meanBetween - meanWithin) / total : 1
  return n / (1 + (meanSize - 1) * Math.max(correlation, 0))
}

function isVaried(r: readonly number[]): boolean {
  const low = r.reduce((least, value) => Math.min(least, value), Infinity)
  const high = r.reduce((most, value) => Math.max(most, value), -Infinity)
  return high - low > ROUNDING * findLargest(r)
}

/** Null of nothing. */
export const computeMean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const findLargest = (values: readonly number[]) =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
