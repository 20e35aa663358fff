import type { OpenCondition } from './items.ts'
import { type CompareOp, isCompared, type RuleCondition } from './spec.ts'

const NEGATED: Readonly<Record<CompareOp, CompareOp>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  'abs<': 'abs>=',
  'abs<=': 'abs>',
  'abs>': 'abs<=',
  'abs>=': 'abs<',
}

/** Complement of a condition; null when it has none. */
export function negated(condition: RuleCondition): RuleCondition | null {
  if (isCompared(condition)) {
    return { ...condition, op: NEGATED[condition.op] } as RuleCondition
  }
  if (condition.f === 'cross_flip') return null
  const { not, ...rest } = condition
  return not ? rest : { ...rest, not: true }
}

/** Complement of a condition that lacks its number; null when it has none. */
export function negatedOpen(open: OpenCondition): OpenCondition | null {
  if ('near' in open) return { near: open.near, ...(open.isFar ? {} : { isFar: true }) }
  if ('gamma' in open) return { gamma: NEGATED[open.gamma] }
  if ('size' in open) return { ...open, op: NEGATED[open.op] }
  if ('cross' in open) return null
  const { not, ...rest } = open.order
  return { order: not ? rest : { ...rest, not: true } }
}

type Bound = { readonly at: number; readonly isIn: boolean }

/** True when no value satisfies all comparisons; for comparisons of one field. */
function isEmpty(conditions: readonly Extract<RuleCondition, { op: CompareOp }>[]): boolean {
  let [low, high]: [Bound, Bound] = [
    { at: Number.NEGATIVE_INFINITY, isIn: true },
    { at: Number.POSITIVE_INFINITY, isIn: true },
  ]
  const holes: { size: number; isIn: boolean }[] = []
  const raise = (at: number, isIn: boolean) => {
    if (at > low.at || (at === low.at && !isIn)) low = { at, isIn }
  }
  const lower = (at: number, isIn: boolean) => {
    if (at < high.at || (at === high.at && !isIn)) high = { at, isIn }
  }
  for (const { op, v } of conditions) {
    const isIn = op.endsWith('=')
    if (op.startsWith('abs<')) {
      raise(-v, isIn)
      lower(v, isIn)
    } else if (op.startsWith('abs>')) holes.push({ size: v, isIn })
    else if (op.startsWith('<')) lower(v, isIn)
    else raise(v, isIn)
  }
  if (low.at > high.at || (low.at === high.at && !(low.isIn && high.isIn))) return true
  return holes.some(({ size, isIn }) => {
    const isBelow = low.at < -size || (low.at === -size && low.isIn && isIn)
    const isAbove = high.at > size || (high.at === size && high.isIn && isIn)
    return !isBelow && !isAbove
  })
}

/** True when no minute can satisfy all conditions of a leg. */
export function isContradiction(conditions: readonly RuleCondition[]): boolean {
  const fields = new Set(conditions.map(({ f }) => f))
  const compared = conditions.filter(isCompared)
  if ([...fields].some(f => isEmpty(compared.filter(one => one.f === f)))) return true
  const crossings = conditions.filter(one => one.f === 'cross_flip')
  if (new Set(crossings.map(({ dir }) => dir)).size > 1) return true
  const orders = conditions.filter(one => one.f === 'order')
  return orders.some(some => !some.not && orders.some(none => none.not && excludes(none, some)))
}

type OrderCondition = Extract<RuleCondition, { f: 'order' }>

/** True when excluding orders of one kind excludes all of the other. */
const excludes = (none: OrderCondition, some: OrderCondition): boolean =>
  none.premium_musd_min <= some.premium_musd_min &&
  (none.gamma === undefined || none.gamma === some.gamma) &&
  (none.since_min === undefined ||
    (some.since_min !== undefined && some.since_min <= none.since_min))
