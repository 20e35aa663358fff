import { jsonFault, parseJson } from '../../core/disk/json.ts'
import { ApiError } from './error.ts'
import { shown } from './request.ts'

/** Common parts of the bodies of changes, and their refusal messages. */

/** A change that is invalid as sent; the message states what to send instead. */
export const invalid = (message: string) => new ApiError('invalid', { message })

/** Parses a body as a JSON object; `example` is a valid one. Fails with `bad_json`. */
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

/** Returns the operation named by `op`. Fails with `bad_op`. */
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

/** Formats a value for a message; the contents of lists and objects are not repeated. */
function seenValue(value: unknown): string {
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return isObject(value) ? 'an object' : String(value)
}

/** Formats the name of an unknown field for a message. */
export const shownName = (name: string): string => shown(name).slice(1, -1)
