import { randomBase62 } from '../accounts/apiKey.ts'
import { invalid, seenAs } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { chosenBook, completeEntry } from './completeEntry.ts'
import type { AlertField } from './fields.ts'
import type { AlertLine, OrderRule } from './kinds.ts'
import { LINE_FIELDS, LINES_MAX } from './lineFields.ts'
import type { AlertChange, SentPart } from './parse.ts'
import { refused, type SentFields } from './readFields.ts'
import { RULE_FIELDS, RULES_MAX } from './ruleFields.ts'
import type { AlertsChange, StoredAlerts } from './store/types.ts'
import {
  lineRow,
  parseStoredAlerts,
  ruleRow,
  type SetAlerts,
  type SetLine,
  updateStoredList,
} from './stored.ts'
import { type AlertsChanged, lineWire } from './wire.ts'

type LineKind = AlertLine['kind']

/** Fields that only lines of one kind have. */
const FIELDS_OF_KIND: Readonly<Record<LineKind, readonly string[]>> = {
  price: ['price'],
  level: ['level', 'book', 'offset'],
}
const COMMON = ['mode', 'direction', 'note']

const findField = (name: string): AlertField => LINE_FIELDS.find(field => field.name === name)!

/** Returns the value of a field after a change: as it was where the field was not sent. */
const valueAfter = (sent: SentFields, before: object | undefined, name: string): unknown =>
  Object.hasOwn(sent, name) ? sent[name] : before?.[name as never]

/** Returns the whole line after a change; a null is the default. Fails with `invalid`. */
function completeLine(id: string, sent: SentFields, before?: AlertLine): AlertLine {
  const kind = (sent.kind ?? before?.kind) as LineKind | undefined
  if (kind === undefined) throw refused(undefined, 'line.kind', findField('kind'))
  refuseOtherKind(kind, sent)
  const values = [...FIELDS_OF_KIND[kind], ...COMMON].map(name => {
    const field = findField(name)
    const whole = valueAfter(sent, before, name) ?? field.default
    // a line needs a price or a level
    if (whole === null && name === kind) throw refused(sent[name], `line.${name}`, field)
    return [name, whole] as const
  })
  return { id, kind, ...Object.fromEntries(values) } as AlertLine
}

/** Fails with `invalid` on a field that lines of the other kind have. */
function refuseOtherKind(kind: LineKind, sent: SentFields): void {
  const other = kind === 'price' ? 'level' : 'price'
  const name = FIELDS_OF_KIND[other].find(one => (sent[one] ?? null) !== null)
  if (name === undefined) return
  const seen = seenAs(`line.${name}`, sent[name])
  throw invalid(
    `${seen}, which only lines of kind ${other} have; leave it out, or give "kind": "${other}".`,
  )
}

/** True when a line has moved or fires on another side: it then counts as not fired. */
const isMoved = (line: AlertLine, before: AlertLine): boolean =>
  ['kind', 'direction', ...FIELDS_OF_KIND[line.kind]].some(
    name => line[name as keyof AlertLine] !== before[name as keyof AlertLine],
  )

/** Returns the whole rule after a change; a null is no condition. Fails with `invalid`. */
function completeRule(id: string, sent: SentFields, before?: OrderRule): OrderRule {
  const fields: Record<string, unknown> = {}
  for (const field of RULE_FIELDS) {
    const { name, isRequired, default: usual } = field
    const value = valueAfter(sent, before, name) ?? usual
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
function refuseEmptyRanges({ dte_min, dte_max, from_t, to_t }: Partial<OrderRule>): void {
  if (dte_min !== undefined && dte_max !== undefined && dte_min > dte_max) {
    const seen = `rule.dte_min is ${dte_min} and rule.dte_max is ${dte_max}`
    throw invalid(`${seen}; give dte_min <= dte_max, such as 0 and 7.`)
  }
  if (from_t !== undefined && to_t !== undefined && from_t > to_t) {
    const seen = `rule.from_t is "${from_t}" and rule.to_t is "${to_t}"`
    throw invalid(`${seen}; give from_t <= to_t, such as "10:00" and "15:30".`)
  }
}

/** Applies a change to an account's alerts. Fails with `invalid` or `not_found`. */
export function decideAlerts(
  change: AlertChange,
  stored: StoredAlerts,
  atMs: number,
): AlertsChange {
  const set = parseStoredAlerts(stored)
  switch (change.op) {
    case 'set': {
      const { type, fields } = change
      const before = set.list.find(one => one.type === type && one.book === chosenBook(fields))!
      const entry = completeEntry(before, fields)
      return {
        list: updateStoredList(stored.list, entry, atMs),
        response: formatResponse({ ok: true, entry }),
      }
    }
    case 'add':
      return change.part === 'line' ? addLine(change.fields, set) : addRule(change.fields, set)
    case 'update':
      return change.part === 'line' ? updateLine(change, set) : updateRule(change, set)
    case 'remove':
      return removeOne(change.id, set)
    default:
      return armLine(change.id, set)
  }
}

const formatResponse = (changed: AlertsChanged): string => JSON.stringify(changed)

function addLine(fields: SentFields, { lines }: SetAlerts): AlertsChange {
  const line = completeLine(`l_${randomBase62(12)}`, fields)
  refuseMore('lines', lines.length, LINES_MAX)
  return putLine(line, { isMoved: true, isArmed: true, firedAtMs: null })
}

function addRule(fields: SentFields, { rules }: SetAlerts): AlertsChange {
  const rule = completeRule(`r_${randomBase62(12)}`, fields)
  refuseMore('rules', rules.length, RULES_MAX)
  return putRule(rule)
}

function refuseMore(what: string, count: number, max: number): void {
  if (count < max) return
  throw invalid(`the account keeps ${count} ${what}, which is the limit; remove one first.`)
}

function updateLine({ id, fields }: SentPart, { lines }: SetAlerts): AlertsChange {
  // errors independent of the stored state are reported first, as the error catalogue states
  if (fields.kind === 'price' || fields.kind === 'level') refuseOtherKind(fields.kind, fields)
  const before = lines.find(line => line.id === id)
  if (!before) throw notFound('line')
  const { isArmed, firedAtMs, ...known } = before
  const line = completeLine(known.id, fields, known as AlertLine)
  const moved = isMoved(line, known as AlertLine)
  const state = moved ? { isArmed: true, firedAtMs: null } : { isArmed, firedAtMs }
  return putLine(line, { isMoved: moved, ...state })
}

function updateRule({ id, fields }: SentPart, { rules }: SetAlerts): AlertsChange {
  const given = Object.entries(fields).filter(([, value]) => value !== null)
  refuseEmptyRanges(Object.fromEntries(given))
  const before = rules.find(rule => rule.id === id)
  if (!before) throw notFound('rule')
  return putRule(completeRule(before.id, fields, before))
}

function removeOne(id: string, { lines, rules }: SetAlerts): AlertsChange {
  if (![...lines, ...rules].some(one => one.id === id)) throw notFound('line or rule')
  return { removeId: id, response: formatResponse({ ok: true, id }) }
}

function armLine(id: string, { lines }: SetAlerts): AlertsChange {
  const line = lines.find(one => one.id === id)
  if (!line) throw notFound('line')
  const armed = lineWire({ ...line, isArmed: true })
  return { armId: id, response: formatResponse({ ok: true, id, line: armed }) }
}

type PutState = Pick<SetLine, 'isArmed' | 'firedAtMs'> & { readonly isMoved: boolean }

function putLine(line: AlertLine, { isMoved: moved, ...state }: PutState): AlertsChange {
  const response = formatResponse({ ok: true, id: line.id, line: lineWire({ ...line, ...state }) })
  return { putLine: { ...lineRow(line), isMoved: moved }, response }
}

function putRule(rule: OrderRule): AlertsChange {
  const response = formatResponse({ ok: true, id: rule.id, rule })
  return { putRule: ruleRow(rule), response }
}

// without the id: a response must not reveal whether another account has it or nobody does
const notFound = (what: string) =>
  new ApiError('not_found', {
    message: `this account keeps no ${what} with this id; GET /api/alerts lists what it keeps.`,
  })
