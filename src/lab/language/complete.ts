import { completeEntry } from './completeEntry.ts'
import { completeExits } from './completeExits.ts'
import { completeStrike } from './completeStrike.ts'
import type { Assumption, DraftLeg, RuleDraft } from './draft.ts'
import { assume, type Findings } from './findings.ts'
import { isContradiction } from './negate.ts'
import { inOrder, UNREAD } from './questions.ts'
import {
  BOUNDS,
  COMPARED,
  canonicalSpec,
  isCompared,
  type RuleCondition,
  type RuleCore,
  RuleSpec,
  type RuleStructure,
  WEEKDAYS,
} from './spec.ts'

/** Outcome of a draft: a rule, the missing parts, or why it is invalid. */
export type Completed =
  | { readonly kind: 'spec'; readonly spec: RuleSpec; readonly assumptions: readonly Assumption[] }
  | {
      readonly kind: 'chat'
      readonly missing: readonly string[]
      /** The rule without the words that were not read, when nothing else is missing. */
      readonly proposed?: Proposed
    }
  | { readonly kind: 'error'; readonly errors: readonly string[] }

/** A rule that is taken only when somebody agrees. */
export type Proposed = Pick<Extract<Completed, { kind: 'spec' }>, 'spec' | 'assumptions'>

/** Completes a draft; with unread words the rule is only proposed. Errors come before questions; equal drafts give equal results. */
export function complete({ unread = [], ...draft }: RuleDraft): Completed {
  const completed = completeRead(draft)
  if (unread.length === 0 || completed.kind === 'error') return completed
  if (completed.kind === 'chat') return { kind: 'chat', missing: [...completed.missing, UNREAD] }
  const { spec, assumptions } = completed
  return { kind: 'chat', missing: [UNREAD], proposed: { spec, assumptions } }
}

function completeRead(draft: RuleDraft): Completed {
  const found: Findings = { errors: [...draft.bad], missing: [...draft.vague], assumptions: [] }
  found.assumptions.push(...draft.notes)
  if (draft.isMapping) found.missing.push('mapping')
  if (draft.times && draft.times.length > 1) found.missing.push('entry time')
  if (draft.days?.length === 0) found.errors.push('no day is left to trade on')
  const legs = draft.legs.map(leg => completeLeg(leg, draft, found))
  if (found.errors.length > 0) return { kind: 'error', errors: [...new Set(found.errors)] }
  if (legs.length === 0) found.missing.push('what to do')
  if (found.missing.length > 0) {
    return { kind: 'chat', missing: inOrder(found.missing) }
  }
  const [first, second] = legs as { core: RuleCore; when: RuleCondition[] }[]
  if (second && JSON.stringify(first) === JSON.stringify(second)) {
    return { kind: 'error', errors: ['both legs are the same trade'] }
  }
  if (first && second && isCancelled(first, second)) {
    return {
      kind: 'error',
      errors: ['the two trades cancel each other: one buys what the other sells'],
    }
  }
  const days = draft.days && draft.days.length < WEEKDAYS.length ? [...draft.days] : undefined
  const spec = {
    v: 1 as const,
    ...first!,
    ...(days ? { days } : {}),
    ...(second ? { more: [second] } : {}),
  }
  const checked = RuleSpec.safeParse(spec)
  if (!checked.success)
    return { kind: 'error', errors: [outOfRange(checked.error.issues[0]!.path)] }
  return { kind: 'spec', spec: canonicalSpec(checked.data), assumptions: unique(found.assumptions) }
}

type CompletedLeg = { readonly core: RuleCore; readonly when: readonly RuleCondition[] }

/** True when two legs are one trade, bought and sold at once: nothing is left of them. */
function isCancelled(one: CompletedLeg, two: CompletedLeg): boolean {
  const traded = ({ core: { action: _, exit: __, ...core }, when }: CompletedLeg) =>
    JSON.stringify({ core, when })
  const timed = ({ core }: CompletedLeg) =>
    core.exit.filter(exit => 'at' in exit && exit.at !== 'expiry').map(exit => JSON.stringify(exit))
  const isOpposite = one.core.action !== two.core.action && traded(one) === traded(two)
  return isOpposite && String(timed(one)) === String(timed(two))
}

const outOfRange = (path: readonly PropertyKey[]) =>
  `${path.filter(key => typeof key === 'string').join('.')} is out of its range`

const unique = (all: readonly Assumption[]) => [
  ...new Map(all.map(one => [JSON.stringify(one), one])).values(),
]

function completeLeg(leg: DraftLeg, draft: RuleDraft, found: Findings) {
  const when = completeConditions(leg, found)
  const structure = completeStructure(leg, draft, found)
  const action = completeAction(leg, draft, found)
  const width = completeWidth(leg, structure, found)
  const strike = completeStrike(leg, structure, found)
  const dte = leg.dte ?? 0
  if (dte > BOUNDS.dteMax) found.errors.push('an expiry is 0 to 5 sessions away')
  if (leg.dte === undefined) assume(found, 'dte', '0', 'no expiry was named: the same day')
  const qty = leg.qty ?? 1
  if (qty < 1 || qty > BOUNDS.qtyMax)
    found.errors.push(`a rule trades 1 to ${BOUNDS.qtyMax} contracts`)
  if (leg.qty === undefined) assume(found, 'qty', '1', 'no number of contracts was named')
  const entry = completeEntry(leg, when, found, draft)
  const exit = completeExits({ leg, action, entry, dte }, found)
  const core = {
    action,
    structure,
    ...(width === undefined ? {} : { width }),
    strike,
    dte,
    qty,
    entry,
    exit,
  }
  return { core, when }
}

function completeAction(leg: DraftLeg, draft: RuleDraft, found: Findings) {
  const named = leg.sold === undefined ? undefined : leg.sold ? ('sell' as const) : ('buy' as const)
  if (leg.action && named && leg.action !== named) {
    found.errors.push(
      named === 'sell'
        ? 'a credit spread is sold, not bought'
        : 'a debit spread is bought, not sold',
    )
  }
  const action = leg.action ?? named
  if (!action && !draft.isMapping && !draft.vague.includes('what to do')) {
    found.missing.push('action')
  }
  return action
}

function completeStructure(
  leg: DraftLeg,
  draft: RuleDraft,
  found: Findings,
): RuleStructure | undefined {
  const { structure, side } = leg
  if (structure === undefined && side) {
    found.errors.push(`no single options: ${side} alone is not a structure`)
    return undefined
  }
  if (structure === 'spread') {
    if (side) return side === 'put' ? 'put_spread' : 'call_spread'
    found.missing.push('put or call')
    return undefined
  }
  if (structure === 'butterfly') {
    found.missing.push('structure')
    return undefined
  }
  if (side && structure && structure !== `${side}_spread`) {
    found.errors.push(`a ${side} is not part of the name of this structure`)
  }
  if (!structure && !draft.vague.includes('what to do')) found.missing.push('structure')
  return structure
}

const HAS_NO_WIDTH: readonly unknown[] = ['strangle', 'straddle']

function completeWidth(leg: DraftLeg, structure: RuleStructure | undefined, found: Findings) {
  const { width } = leg
  if (width === undefined) {
    const isQuestioned = structure !== undefined && !HAS_NO_WIDTH.includes(structure)
    if (isQuestioned) found.missing.push('width')
    return undefined
  }
  if (HAS_NO_WIDTH.includes(structure)) found.errors.push(`a ${structure} has no width`)
  else if (width % BOUNDS.widthStep !== 0 || width <= 0) {
    found.errors.push('width is not a multiple of 5')
  } else if (width > BOUNDS.widthMax) found.errors.push(`width is over ${BOUNDS.widthMax}`)
  return width
}

const LEVEL_NAMES = { flip: 'flip', put_wall: 'put wall', call_wall: 'call wall' } as const

function completeConditions(leg: DraftLeg, found: Findings): RuleCondition[] {
  for (const open of leg.open) {
    if ('near' in open) {
      found.missing.push(
        open.near === 'wall' ? 'which wall' : `distance to the ${LEVEL_NAMES[open.near]}`,
      )
    } else if ('order' in open) found.missing.push('premium')
    else if ('cross' in open) found.missing.push('direction of the cross')
    else if ('gamma' in open) found.missing.push('net gamma')
    else found.missing.push('size of the gap')
  }
  const when = [...leg.when]
  if (isContradiction(when)) found.errors.push('conditions contradict each other')
  if (when.length > BOUNDS.conditionsMax) {
    found.errors.push(`a rule has at most ${BOUNDS.conditionsMax} conditions`)
  }
  for (const one of when) if (!isInRange(one)) found.errors.push(`${one.f} is out of its range`)
  return when
}

function isInRange(one: RuleCondition): boolean {
  if (isCompared(one)) {
    const { min, max } = COMPARED[one.f]
    return one.v >= (one.op.startsWith('abs') ? 0 : min) && one.v <= max
  }
  if (one.f === 'cross_flip') return one.nth >= 1 && one.nth <= BOUNDS.nthMax
  const { premium_musd_min: premium, since_min: since = 1 } = one
  const isSince = Number.isInteger(since) && since >= 1 && since <= BOUNDS.sinceMax
  return premium > 0 && premium <= BOUNDS.premiumMaxMusd && isSince
}
