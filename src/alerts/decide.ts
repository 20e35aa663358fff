import { randomBase62 } from '../accounts/apiKey.ts'
import { invalid } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { chosenBook, completeEntry } from './completeEntry.ts'
import { completeLine, isMoved, refuseOtherKind } from './completeLine.ts'
import { completeRule, refuseEmptyRanges } from './completeRule.ts'
import type { AlertLine, OrderRule } from './kinds.ts'
import { LINES_MAX } from './lineFields.ts'
import type { AlertChange, SentPart } from './parse.ts'
import type { SentFields } from './readFields.ts'
import { RULES_MAX } from './ruleFields.ts'
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
