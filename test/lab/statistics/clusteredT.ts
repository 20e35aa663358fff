/** t of a mean where the trades of a session move together (CRV1: Liang and Zeger 1986). */

import { average, bySession, type Result, total } from './plain.ts'

export function clusteredT(results: readonly Pick<Result, 'session' | 'r'>[]) {
  const clusters = bySession(results)
  if (clusters.length < 2) return null
  const mean = average(results.map(({ r }) => r))
  const ofClusters = clusters.map(cluster => total(cluster.map(({ r }) => r - mean)))
  const stretch = clusters.length / (clusters.length - 1)
  const error = Math.sqrt(stretch * total(ofClusters.map(sum => sum * sum))) / results.length
  return { mean, error, t: mean / error, dof: clusters.length - 1 }
}
