/** Sums and moments in their textbook form. */

export const total = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0)

export const average = (values: readonly number[]): number => total(values) / values.length

/** Mean of the powers of the distances from the mean. */
export const asOf = (values: readonly number[], power: number): number => {
  const middle = average(values)
  return average(values.map(value => (value - middle) ** power))
}

/** Standard deviation with n - 1. */
export const deviation = (values: readonly number[]): number =>
  Math.sqrt((asOf(values, 2) * values.length) / (values.length - 1))

/** One trade as the statistics see it. */
export type Result = { readonly session: number; readonly r: number; readonly isInRule: boolean }

/** The results of each session, in the order of the sessions. */
export function bySession<R extends Pick<Result, 'session' | 'r'>>(results: readonly R[]): R[][] {
  const sessions = [...new Set(results.map(({ session }) => session))].sort((a, b) => a - b)
  return sessions.map(session => results.filter(one => one.session === session))
}
