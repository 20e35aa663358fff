/** As how many independent trades those of a few sessions count (Kish 1965, one-way ANOVA). */

import { average, bySession, type Result, total } from './plain.ts'

export function effectiveCount(results: readonly Pick<Result, 'session' | 'r'>[]): number | null {
  const clusters = bySession(results).map(cluster => cluster.map(({ r }) => r))
  const [count, groups] = [results.length, clusters.length]
  if (groups < 2) return null
  if (groups === count) return count
  const squares = total(clusters.map(cluster => cluster.length ** 2)) / count
  // nothing differs: the trades of a session are as alike as can be
  if (new Set(results.map(({ r }) => r)).size === 1) return count / squares
  const mean = average(results.map(({ r }) => r))
  const between =
    total(clusters.map(cluster => cluster.length * (average(cluster) - mean) ** 2)) / (groups - 1)
  const within =
    total(clusters.map(cluster => total(cluster.map(r => (r - average(cluster)) ** 2)))) /
    (count - groups)
  const typical = (count - squares) / (groups - 1)
  const likeness = (between - within) / (between + (typical - 1) * within)
  return count / (1 + (squares - 1) * Math.max(likeness, 0))
}
