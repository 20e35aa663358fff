import { invalid, seenAs } from '../platform/http/changeBody.ts'
import type { OrderRule } from './kinds.ts'
import { refused, type SentFields } from './readFields.ts'
import { RULE_FIELDS } from './ruleFields.ts'

/**
 * Returns the whole rule after an addition or update. A field that was not sent keeps its value, a
 * null removes its condition. Fails with `invalid`.
 */
export function completeRule(id: string, sent: SentFields, before?: OrderRule): OrderRule {
  const known = before as Readonly<Record<string, unknown>> | undefined
  const fields: Record<string, unknown> = {}
  for (const field of RULE_FIELDS) {
    const { name, isRequired, default: usual } = field
    const value = (Object.hasOwn(sent, name) ? sent[name] : known?.[name]) ?? usual
    if (value !== null) fields[name] = value
    else if (isRequired) throw refused(undefined, `rule.${name}`, field)
  }
  if (fields.wall_within === undefined) {
    if ((sent.wall ?? null) !== null) {
      const seen = seenAs('rule.wall', sent.wall)
      throw invalid(`${seen}, but rule.wall_within is missing; give index points such as 15.`)
    }
    delete fields.wall
  } else fields.wall ??= 'any'
  const rule = { id, ...inOrder(fields) } as OrderRule
  refuseEmptyRanges(rule)
  return rule
}

/** The fields in the order of the catalogue. */
const inOrder = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    RULE_FIELDS.flatMap(({ name }) => (name in fields ? [[name, fields[name]] as const] : [])),
  )

/** Fails with `invalid` on empty ranges. */
export function refuseEmptyRanges({ dte_min, dte_max, from_t, to_t }: Partial<OrderRule>): void {
  if (dte_min !== undefined && dte_max !== undefined && dte_min > dte_max) {
    const seen = `rule.dte_min is ${dte_min} and rule.dte_max is ${dte_max}`
    throw invalid(`${seen}; give dte_min <= dte_max, such as 0 and 7.`)
  }
  if (from_t !== undefined && to_t !== undefined && from_t > to_t) {
    const seen = `rule.from_t is "${from_t}" and rule.to_t is "${to_t}"`
    throw invalid(`${seen}; give from_t <= to_t, such as "10:00" and "15:30".`)
  }
}
