import type { RuleItem } from './items.ts'
import { negated } from './negate.ts'

const NO_TRADE =
  'no trade needs one condition before it, such as "if net gamma is negative, no trade"'

/** Inverts "if gamma is negative: no trade" into a condition that must hold. */
export function withoutIdle(items: readonly RuleItem[]): RuleItem[] {
  const out: RuleItem[] = []
  let sentence: RuleItem[] = []
  for (const item of items) {
    if (item.k === 'no_trade') {
      const [condition, ...others] = sentence.filter(({ k }) => k !== 'break' && k !== 'if')
      const v = condition?.k === 'when' && others.length === 0 ? negated(condition.v) : null
      if (condition && v) out[out.indexOf(condition)] = { ...condition, v } as RuleItem
      else out.push({ ...item, k: 'bad', reason: NO_TRADE } as RuleItem)
      continue
    }
    if (item.k === 'break' && /^[;.?!\n\r]+$/.test(item.text)) sentence = []
    else sentence.push(item)
    out.push(item)
  }
  return out
}
