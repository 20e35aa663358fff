import { counted } from '../../core/text/counts.ts'
import type { TradeLedger } from '../engine/trade.ts'
import { LEVEL_REFS, type RuleSpec } from '../language/spec.ts'
import type { LabEra, LabLeg, LabResult } from '../result.ts'
import { NEEDED } from './era.ts'
import { findFurthestDte, listLegs } from './leg.ts'
import { sayPassedOver } from './passedOver.ts'
import type { RunPlan } from './plan.ts'
import { dollars, percent, signedPercent } from './words.ts'

/**
 * Describes a result in plain sentences: what was tested, the outcome, and what it does not prove.
 */
export function sayRun(options: {
  readonly result: LabResult
  readonly plan: RunPlan
  readonly ledger: TradeLedger
  readonly spec: RuleSpec
}): string[] {
  const { result, plan, ledger, spec } = options
  const { legs } = result
  return [
    sayData(result, findFurthestDte(spec)),
    ...sayPassedOver(result.data.passed_over ?? []),
    ...sayUnknownPositions(result, spec),
    ...sayParity(result),
    ...sayRestart(result, plan),
    ...legs.flatMap((leg, index) => {
      const name = legs.length > 1 ? `Trade ${index + 1}: ` : ''
      return sayLeg(leg, ledger, index).map(text => `${name}${text}`)
    }),
    ...sayHoldout(result, plan),
    ...saySealed(result),
    ...sayLimits(result),
  ]
}

function sayData({ data, kind }: LabResult, furthest: number): string {
  const left = data.left_out.length
  const named = left === 0 ? '' : `; ${counted(left, 'day')} left out, each with its reason`
  const open =
    furthest === 0
      ? ''
      : ` In the last ${counted(furthest, 'session')} nothing is entered: it would end after them.`
  const which = kind === 'struct' ? ', those before the holdout' : ''
  return (
    `Tested on ${counted(data.used, `${data.kind} session`)}, ` +
    `${data.from} to ${data.to}${which}${named}.${open}`
  )
}

/** Conditions and strikes that need the dealers' book. */
const LEVELS: ReadonlySet<string> = new Set([
  'spot_minus_flip',
  'cross_flip',
  'spot_minus_put_wall',
  'call_wall_minus_spot',
  'net_gamma',
  ...LEVEL_REFS,
])

/** Says in how many minutes a rule on the dealers' levels could not be judged. */
function sayUnknownPositions({ data }: LabResult, spec: RuleSpec): string[] {
  const usesLevels = listLegs(spec).some(
    ({ core, when }) =>
      ('ref' in core.strike && LEVELS.has(core.strike.ref)) || when.some(({ f }) => LEVELS.has(f)),
  )
  if (!data.unknown_positions || !usesLevels) return []
  const { minutes, sessions } = data.unknown_positions
  return [
    `In ${counted(minutes, 'minute')} of ${counted(sessions, 'session')} the dealers' positions ` +
      'are not known (inventory_unknown): such a minute counts as unknown, and no condition on ' +
      'the flip or net gamma holds in it; nor one on a wall, unless most of the book is measured.',
  ]
}

/** Says in how many minutes the index is derived from the quotes. */
function sayParity({ data }: LabResult): string[] {
  if (!data.index_by_parity) return []
  const { minutes, sessions } = data.index_by_parity
  return [
    `In ${counted(minutes, 'minute')} of ${counted(sessions, 'session')} the tape has no index: it ` +
      'follows from the quotes of the options, by put-call parity, and is some tenths of a point off.',
  ]
}

function sayRestart({ data }: LabResult, { isRestart }: RunPlan): string[] {
  if (!isRestart) return []
  const other = data.kind === 'real' ? 'simulated' : 'real'
  return [`Earlier tests of the idea were on ${other} sessions: they keep none of these apart.`]
}

function sayLeg({ eras, verdict, seen }: LabLeg, ledger: TradeLedger, leg: number): string[] {
  const { all, holdout } = eras
  return [
    sayEra(all),
    ...(verdict ? [verdict.sentence] : []),
    ...(holdout ? sayRough(holdout) : []),
    ...(seen ? [seen.says] : []),
    ...sayUnresolved(all, ledger, leg),
    ...sayFar(ledger, leg),
  ]
}

function sayEra({ rule, core, days, missed }: LabEra): string {
  const chances = Object.values(missed).reduce((sum, count) => sum + count, 0)
  const without = chances === 0 ? '' : ` ${counted(chances, 'chance')} could not be traded.`
  if (rule.mean === null) return `The rule made no trade.${without}`
  const comparison = core.mean === null || rule.n === core.n ? '' : sayCore(core.mean, core.n)
  return (
    `${counted(rule.n, 'trade')} on ${counted(days, 'day')} made ${signedPercent(rule.mean)} of ` +
    `their risk each after costs, ${dollars(rule.sum_usd!)} together${comparison}; ` +
    `${percent(rule.win!)} won.${without}`
  )
}

const sayCore = (mean: number, n: number) =>
  `, against ${signedPercent(mean)} of ${counted(n, 'trade')} without the conditions`

function sayRough({ days }: LabEra): string[] {
  if (days < NEEDED.sessionsOfT || days >= NEEDED.sessionsOfGoodT) return []
  return [
    `Its t on the holdout is rough: ${counted(days, 'day')}, and under ${NEEDED.sessionsOfGoodT} ` +
      'luck looks like skill more often than p says.',
  ]
}

function sayUnresolved({ unresolved }: LabEra, { trades }: TradeLedger, leg: number): string[] {
  if (unresolved === 0) return []
  const open = trades.filter(one => one.ruleLeg === leg && one.isInRule && one.r === null)
  const worst = open.map(({ worstUsd }) => worstUsd)
  const known = worst.filter(usd => usd !== null)
  const bound =
    known.length < worst.length
      ? 'what they can have lost has no bound'
      : `together they can have lost ${dollars(-known.reduce((sum, usd) => sum + usd, 0))}`
  return [`The end of ${counted(unresolved, 'trade')} is not known; ${bound}.`]
}

/**
 * Distance in points from which a strike is another trade: half the widest strike step near the
 * index.
 */
const FAR_POINTS = 12.5

function sayFar({ trades }: TradeLedger, leg: number): string[] {
  const away = trades
    .filter(({ ruleLeg, isInRule }) => ruleLeg === leg && isInRule)
    .map(({ legs }) => Math.max(...legs.map(one => Math.abs(one.targetStrike - one.strike))))
    .filter(points => points > FAR_POINTS)
  if (away.length === 0) return []
  const furthest = Math.max(...away).toFixed(1)
  return [
    `${counted(away.length, 'trade')} took strikes more than ${FAR_POINTS} points from what the ` +
      `rule asks for, as none nearer was listed; the furthest was ${furthest} points away.`,
  ]
}

function sayHoldout({ kind, holdout, lineage }: LabResult, { noHoldout }: RunPlan): string[] {
  if (kind === 'struct') return ['It looks at no session of the holdout, and has no verdict.']
  if (!holdout) return [`There is no holdout, so nothing is called interesting: ${noHoldout}`]
  const { looks, family_looks: family } = lineage
  return [
    `The holdout, ${holdout.from} to ${holdout.to}, was looked at ${times(looks)} for this idea ` +
      `and ${times(family)} for all of its kind; each look makes luck likelier, so more is asked.`,
  ]
}

function saySealed({ sealed, holdout }: LabResult): string[] {
  if (!sealed) return []
  const why = holdout
    ? 'Only the verdict counts them'
    : 'They are to become a holdout, once there are enough of them'
  return [
    `The trades of ${counted(sealed.sessions, 'session')}, ${sealed.from} to ${sealed.to}, are not ` +
      `shown. ${why}; a rule that was fitted to them would be judged by what it was made of.`,
  ]
}

const times = (count: number) => (count === 1 ? 'once' : `${counted(count, 'time')}`)

function sayLimits({ data }: LabResult): string[] {
  return [
    ...(data.kind === 'simulated'
      ? ['These sessions are simulated: they prove nothing about a real market.']
      : []),
    'What this does not prove: that the past comes again, that a fill at these prices was to be ' +
      'had, or how large a trade the market would take. Prices are looked at once a minute.',
  ]
}
