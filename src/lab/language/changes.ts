import { joinWords, sayCondition, sayCorePart } from './say.ts'
import { canonicalJson, type RuleCore, type RuleSpec } from './spec.ts'

/** A part of a rule that a message changed. */
export type RuleChange = {
  readonly field: string
  /** In words; null when the rule has none. */
  readonly from: string | null
  readonly to: string | null
}

const PARTS = ['action', 'structure', 'width', 'strike', 'dte', 'qty', 'entry', 'exit'] as const

/** Lists every part in which two rules differ, in words. */
export function changesBetween(before: RuleSpec, after: RuleSpec): RuleChange[] {
  return [
    ...changesOfLeg(before, after, ''),
    ...toChanges('days', sayDays(before), sayDays(after)),
    ...secondLeg(before, after),
  ]
}

type RuleLeg = Pick<RuleSpec, 'core' | 'when'>

function changesOfLeg(before: RuleLeg, after: RuleLeg, prefix: string): RuleChange[] {
  const parts = PARTS.flatMap(part => {
    const isSame =
      canonicalJson(before.core[part] ?? null) === canonicalJson(after.core[part] ?? null)
    if (isSame) return []
    return toChanges(prefix + part, sayCorePart(before.core, part), sayCorePart(after.core, part))
  })
  return [...parts, ...toChanges(`${prefix}when`, sayWhen(before), sayWhen(after))]
}

function secondLeg(before: RuleSpec, after: RuleSpec): RuleChange[] {
  const [old, now] = [before.more?.[0], after.more?.[0]]
  if (old && now) return changesOfLeg(old, now, 'second leg ')
  const name = ({ action, structure }: RuleCore) => `${action} ${structure.replace('_', ' ')}`
  return toChanges('second leg', old ? name(old.core) : null, now ? name(now.core) : null)
}

const toChanges = (field: string, from: string | null, to: string | null): RuleChange[] =>
  from === to ? [] : [{ field, from, to }]

const sayDays = ({ days }: RuleSpec) => (days ? joinWords(days) : null)
const sayWhen = ({ when }: RuleLeg) =>
  when.length > 0 ? joinWords(when.map(one => sayCondition(one))) : null
