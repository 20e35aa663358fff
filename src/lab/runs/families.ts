import { type RuleCore, RuleSpec, type RuleStructure, WEEKDAYS } from '../language/spec.ts'
import { listLegs } from '../verdict/leg.ts'

/** Families of rules: those whose looks at the holdout share one budget, as their trades overlap. */

/** Options of a structure without its strikes: type, and whether it is the nearer or the wing. */
const OPTIONS: Readonly<Record<RuleStructure, readonly string[]>> = {
  put_spread: ['P near', 'P wing'],
  call_spread: ['C near', 'C wing'],
  iron_condor: ['P near', 'P wing', 'C near', 'C wing'],
  iron_butterfly: ['P near', 'P wing', 'C near', 'C wing'],
  strangle: ['P near', 'C near'],
  straddle: ['P near', 'C near'],
}

/** Share of the trades, or of the days, from which two rules are of one family. */
const OVERLAP_MIN = 0.5

/**
 * True when a look at one rule, as JSON, counts for another one: a trade of both has the same action
 * and expiry, and either the same structure, or half of the larger one's options and half of the
 * days of the one with fewer days.
 */
export function areRelated(one: string, other: string): boolean {
  const [a, b] = [RuleSpec.parse(JSON.parse(one)), RuleSpec.parse(JSON.parse(other))]
  return listLegs(a).some(({ core }) =>
    listLegs(b).some(leg => overlap(core, leg.core, isOnSameDays(a, b))),
  )
}

function overlap(a: RuleCore, b: RuleCore, isOnSame: boolean): boolean {
  if (a.action !== b.action || a.dte !== b.dte) return false
  if (a.structure === b.structure) return true
  const [own, others] = [OPTIONS[a.structure], OPTIONS[b.structure]]
  const common = own.filter(option => others.includes(option)).length
  return isOnSame && common >= OVERLAP_MIN * Math.max(own.length, others.length)
}

function isOnSameDays(a: RuleSpec, b: RuleSpec): boolean {
  const [own, others] = [a.days ?? WEEKDAYS, b.days ?? WEEKDAYS]
  const common = own.filter(day => others.includes(day)).length
  return common >= OVERLAP_MIN * Math.min(own.length, others.length)
}
