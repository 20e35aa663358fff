import { jsonFault, parseJson } from '../disk/json.ts'
import { ApiError } from './error.ts'
import { shown } from './request.ts'

/** What the bodies of changes have in common, and the sentences that refuse them. */

/** A change that cannot be made as it was sent; the message says what to send instead. */
export const invalid = (message: string) => new ApiError('invalid', { message })

/** The object that a body of JSON is; `example` is a good one. Fails with `bad_json`. */
export function readObject(text: string, example: string): Record<string, unknown> {
  const refusal = (seen: string) =>
    new ApiError('bad_json', { message: `the body is ${seen}; send an object such as ${example}.` })
  if (text.trim() === '') throw refusal('empty')
  let body: unknown
  try {
    body = parseJson(text)
  } catch (error) {
    throw refusal(jsonFault(error))
  }
  if (!isObject(body)) throw refusal(seenValue(body))
  return body
}

/** Which of the operations `op` names. Fails with `bad_op`. */
export function readOp<const Op extends string>(
  body: Readonly<Record<string, unknown>>,
  ops: readonly Op[],
): Op {
  const op = ops.find(one => one === body.op)
  if (op !== undefined) return op
  const seen = 'op' in body ? `op is ${seenValue(body.op)}` : 'op is missing'
  throw new ApiError('bad_op', { message: `${seen}; give one of ${ops.join(', ')}.` })
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `position.entry is "9:30"`, or that it is missing. */
export const seenAs = (name: string, value: unknown): string =>
  value === undefined ? `${name} is missing` : `${name} is ${seenValue(value)}`

/** A value as a message may show it; what is inside lists and objects is not repeated. */
function seenValue(value: unknown): string {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return isObject(value) ? 'an object' : String(value)
}

/** The name of an unknown field as a message may show it. */
export const shownName = (name: string): string => shown(name).slice(1, -1)
