/**
 * How much better the trades of a rule are than those of its core, and its t: the rule's trades are
 * some of the core's, so that each trade pulls at both means at once.
 */

import { average, bySession, type Result, total } from './plain.ts'

export function differenceT(core: readonly Result[]) {
  const rule = core.filter(({ isInRule }) => isInRule)
  if (new Set(rule.map(({ session }) => session)).size < 2) return null
  const ruleMean = average(rule.map(({ r }) => r))
  const coreMean = average(core.map(({ r }) => r))
  const clusters = bySession(core)
  const pulls = clusters.map(cluster =>
    total(
      cluster.map(({ r, isInRule }) => {
        const ofRule = isInRule ? (r - ruleMean) / rule.length : 0
        return ofRule - (r - coreMean) / core.length
      }),
    ),
  )
  const stretch = clusters.length / (clusters.length - 1)
  const error = Math.sqrt(stretch * total(pulls.map(pull => pull * pull)))
  const difference = ruleMean - coreMean
  return { difference, error, t: difference / error, dof: clusters.length - 1 }
}
