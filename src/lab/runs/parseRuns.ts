import type { Request } from 'express'
import { isObject, seenAs, shownName } from '../../platform/http/changeBody.ts'
import { ASSUMED, type Assumptions } from '../engine/trade.ts'
import { labError } from '../errors.ts'
import { checkSpec } from '../language/checkSpec.ts'
import type { RuleSpec } from '../language/spec.ts'
import { badRequest, readLabBody } from '../parseChat.ts'
import { AssumeInput } from '../runSchema.ts'
import { IDEA_ALERTS, IDEA_DRAWS } from '../schema.ts'
import type { IdeaAction } from '../store/runTypes.ts'

const GOOD_ID = '"i_4fQ8sK2mZx0T"'
const GOOD_RUN = `{"id": ${GOOD_ID}, "kind": "backtest"}`
const GOOD_ACTION = `{"id": ${GOOD_ID}, "action": "desk"}`
const GOOD_STRUCT = '{"spec": {"v": 1, "core": {...}, "when": []}}'
const ACTIONS = ['desk', 'drop', 'delete', 'open', 'set'] as const

export type RunInput = {
  readonly id: string
  readonly kind: 'backtest' | 'quant'
  /** Idea to take off the conveyor first; null: none. */
  readonly drop?: string | null
}
export type ActionInput = {
  readonly id: string
  readonly action: Exclude<IdeaAction, { readonly open: string }> | 'open'
}
export type StructInput = { readonly spec: RuleSpec; readonly assume: Assumptions }

/** Parses which idea to test, and how. Fails with 400 and one sentence that names the field. */
export function parseRun(text: string): RunInput {
  const { id, kind, drop = null } = readFields(text, ['id', 'kind', 'drop'], GOOD_RUN)
  if (drop !== null && (typeof drop !== 'string' || drop === '')) {
    throw badRequest(`${seenAs('drop', drop)}; send the idea on the conveyor, such as ${GOOD_ID}.`)
  }
  if (kind === 'backtest' || kind === 'quant') return { id: readId(id), kind, drop }
  throw badRequest(`${seenAs('kind', kind)}; send backtest or quant, such as ${GOOD_RUN}.`)
}

/** Parses an action on an idea. Fails with 400 and one sentence that names the field. */
export function parseAction(text: string): ActionInput {
  const fields = readFields(text, ['id', 'action', 'on', 'draw', 'alert'], GOOD_ACTION)
  const id = readId(fields.id)
  const action = ACTIONS.find(one => one === fields.action)
  if (!action) {
    const seen = seenAs('action', fields.action)
    throw badRequest(`${seen}; send one of ${ACTIONS.join(', ')}, such as ${GOOD_ACTION}.`)
  }
  const { on, draw, alert } = fields
  if (action !== 'set') {
    const [extra] = Object.entries({ on, draw, alert }).find(([, one]) => one !== undefined) ?? []
    if (extra !== undefined) throw badRequest(`${extra} is only of the action set; leave it out.`)
    return { id, action }
  }
  if (on !== undefined && typeof on !== 'boolean') {
    throw badRequest(`${seenAs('on', on)}; send true or false.`)
  }
  const set = {
    ...(on === undefined ? {} : { isOn: on }),
    ...(draw === undefined ? {} : { draw: parseChoice('draw', draw, IDEA_DRAWS) }),
    ...(alert === undefined ? {} : { alert: parseChoice('alert', alert, IDEA_ALERTS) }),
  }
  if (Object.keys(set).length > 0) return { id, action: { set } }
  throw badRequest('the action set changes nothing; send on, draw or alert, such as "on": true.')
}

/** Parses a rule alone. Fails with 400, or with 422 when it is not a valid rule. */
export function parseStruct(text: string): StructInput {
  const { spec, assume = {} } = readFields(text, ['spec', 'assume'], GOOD_STRUCT)
  if (!isObject(spec)) {
    throw badRequest(`${seenAs('spec', spec)}; send the spec of an idea: ${GOOD_STRUCT}.`)
  }
  const checked = checkSpec(spec)
  if (checked.errors) {
    const message = `not a rule: ${checked.errors[0]}; no credit was spent.`
    throw labError('refused_rule', { message, extras: { refunded: true } })
  }
  return { spec: checked.spec, assume: readAssumed(assume) }
}

/** True when the client prefers the job over its result (RFC 7240, respond-async). */
export const prefersAsync = (req: Request): boolean =>
  (req.headers.prefer ?? '')
    .toString()
    .split(/[,;]/)
    .some(one => one.trim().toLowerCase() === 'respond-async')

function readAssumed(assume: unknown): Assumptions {
  const read = AssumeInput.safeParse(assume)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    const field = ['assume', ...path].join('.')
    const good = '{"delay_min": 1, "spread_factor": 1, "fee_usd": 1.3}'
    throw badRequest(`${shownName(field)}: ${message}; send fields such as ${good}.`)
  }
  const { delay_min = ASSUMED.delayMin, spread_factor = ASSUMED.spreadFactor } = read.data
  const { fee_usd = ASSUMED.feeUsd } = read.data
  return { delayMin: delay_min, spreadFactor: spread_factor, feeUsd: fee_usd }
}

function readFields<Name extends string>(
  text: string,
  names: readonly Name[],
  good: string,
): { readonly [name in Name]?: unknown } {
  const value = readLabBody(text, good)
  const other = Object.keys(value).find(name => !(names as readonly string[]).includes(name))
  if (other === undefined) return value as { readonly [name in Name]?: unknown }
  throw badRequest(`"${shownName(other)}" is no field; send ${names.join(', ')}.`)
}

function readId(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id
  throw badRequest(`${seenAs('id', id)}; send an idea, such as ${GOOD_ID}.`)
}

function parseChoice<const Value extends string>(
  name: string,
  value: unknown,
  values: readonly Value[],
): Value {
  const found = values.find(one => one === value)
  if (found) return found
  throw badRequest(`${seenAs(name, value)}; send one of ${values.join(', ')}.`)
}
