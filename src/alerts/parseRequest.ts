import { invalid, readObject, readOp, seenAs } from '../platform/http/changeBody.ts'
import { ALERT_OPS, type AlertChange, BODY_EXAMPLE, readChange } from './parse.ts'
import { refuseUnknown } from './readFields.ts'

/** Requests that a client posts: a change of its alerts, or an event that is sent on demand. */

/** Fields of each operation besides `op`. */
const SEND_OPS = { test: ['position'], redeliver: ['id'] } as const

type SendOp = keyof typeof SEND_OPS

export type AlertSend =
  /** Null: to the webhook endpoint of the alerts; else to that of the position with this id. */
  | { readonly op: 'test'; readonly position: string | null }
  | { readonly op: 'redeliver'; readonly id: string }

export const isSend = (request: AlertChange | AlertSend): request is AlertSend =>
  request.op === 'test' || request.op === 'redeliver'

/** Parses a request body. Fails with `bad_json`, `bad_op` or `invalid`, in this order. */
export function parseAlertRequest(text: string): AlertChange | AlertSend {
  const body = readObject(text, BODY_EXAMPLE)
  const op = readOp(body, [...ALERT_OPS, ...(Object.keys(SEND_OPS) as SendOp[])])
  if (op !== 'test' && op !== 'redeliver') return readChange(op, body)
  refuseUnknown(body, '', ['op', ...SEND_OPS[op]])
  if (op === 'test') return { op, position: parsePosition(body.position) }
  const { id } = body
  if (typeof id === 'string') return { op, id }
  throw invalid(
    `${seenAs('id', id)}; give the id of an event, such as "evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8".`,
  )
}

function parsePosition(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  const advice = 'give the id of a position, such as "p_4fQ8sK2mZx0T", or leave it out'
  throw invalid(`${seenAs('position', value)}; ${advice}.`)
}
