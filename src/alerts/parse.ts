import { invalid, readObject, readOp, seenAs } from '../platform/http/changeBody.ts'
import { ENTRY_FIELDS, listRow } from './catalogue.ts'
import type { ListType } from './kinds.ts'
import { LINE_FIELDS } from './lineFields.ts'
import { readFields, readPart, refused, refuseUnknown, type SentFields } from './readFields.ts'
import { RULE_FIELDS } from './ruleFields.ts'

/** Requests that change a client's alerts. */

/** Fields of each operation besides `op`: one of these. */
const OPS = {
  set: ['entry'],
  add: ['line', 'rule'],
  update: ['line', 'rule'],
  remove: ['id'],
  arm: ['id'],
} as const

export type AlertOp = keyof typeof OPS
export const ALERT_OPS = Object.keys(OPS) as readonly AlertOp[]

/** The fields sent of a line or a rule. */
export type SentPart = {
  readonly part: 'line' | 'rule'
  /** Undefined when none was sent. */
  readonly id: string | undefined
  readonly fields: SentFields
}

export type AlertChange =
  | { readonly op: 'set'; readonly type: ListType; readonly fields: SentFields }
  | ({ readonly op: 'add' | 'update' } & SentPart)
  | { readonly op: 'remove' | 'arm'; readonly id: string }

/** A valid body. */
export const BODY_EXAMPLE = JSON.stringify({ op: 'add', line: { kind: 'price', price: 6000 } })

const EXAMPLES = {
  entry: { type: 'flip_cross', on: true, confirm: 3 },
  line: { kind: 'price', price: 6000, mode: 'once' },
  rule: { name: 'big verticals', kinds: ['vertical'], min_premium: 2.5 },
}

const ID_ADVICE = {
  line: 'the id of a line, such as "l_7Qd2mX0aZ9Ke"',
  rule: 'the id of a rule, such as "r_5Xk9bT3nW1Lp"',
}

/** Parses a change. Fails with `bad_json`, `bad_op` or `invalid`, in this order. */
export function parseAlertChange(text: string): AlertChange {
  const body = readObject(text, BODY_EXAMPLE)
  return readChange(readOp(body, ALERT_OPS), body)
}

/** Parses the change that a body's `op` names. Fails with `invalid`. */
export function readChange(op: AlertOp, body: Readonly<Record<string, unknown>>): AlertChange {
  const parts: readonly string[] = OPS[op]
  refuseUnknown(body, '', ['op', ...parts])
  const given = parts.filter(part => Object.hasOwn(body, part))
  if (given.length > 1) {
    throw invalid(`${given.join(' and ')} are both given; send one of them at a time.`)
  }
  if (op === 'set') return parseEntry(body.entry)
  if (op === 'add' || op === 'update') {
    const [part] = given as SentPart['part'][]
    if (part === undefined) {
      const [line, rule] = [EXAMPLES.line, EXAMPLES.rule].map(one => JSON.stringify(one))
      throw invalid(
        `line or rule is missing; give a line such as ${line}, or a rule such as ${rule}.`,
      )
    }
    return parsePart(op, part, body[part])
  }
  const { id } = body
  if (typeof id === 'string') return { op, id }
  const advice = op === 'arm' ? ID_ADVICE.line : `${ID_ADVICE.line}, or of a rule`
  throw invalid(`${seenAs('id', id)}; give ${advice}.`)
}

function parseEntry(value: unknown): AlertChange {
  const sent = readPart(value, 'entry', EXAMPLES.entry)
  const [typeField] = ENTRY_FIELDS as [(typeof ENTRY_FIELDS)[number]]
  const type = typeField.values!.find(known => known === sent.type)
  // the set of fields depends on it
  if (type === undefined) throw refused(sent.type, 'entry.type', typeField)
  const { parameters } = listRow(type as ListType)
  const fields = readFields(sent, 'entry', [...ENTRY_FIELDS, ...parameters])
  return { op: 'set', type: type as ListType, fields }
}

function parsePart(op: 'add' | 'update', part: SentPart['part'], value: unknown): AlertChange {
  const sent = readPart(value, part, EXAMPLES[part])
  const fields = readFields(sent, part, part === 'line' ? LINE_FIELDS : RULE_FIELDS, ['id'])
  const { id } = sent
  if (op === 'add' && id !== undefined) {
    throw invalid(`${part}.id is given by add; leave it out, or send op update to change one.`)
  }
  if (op === 'update' && typeof id !== 'string') {
    throw invalid(`${seenAs(`${part}.id`, id)}; give ${ID_ADVICE[part]}.`)
  }
  return { op, part, id: id as string | undefined, fields }
}
