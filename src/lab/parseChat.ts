import { jsonFault, parseJson } from '../core/disk/json.ts'
import { isObject, seenAs } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { shown } from '../platform/http/request.ts'
import { labError } from './errors.ts'
import { ChatInput } from './schema.ts'

const GOOD = '{"message": "At 10:00 sell the 10-wide put spread 30 points below spot."}'

/** Error of a request that is invalid as sent. */
export const badRequest = (message: string) => labError('invalid', { message })

/** Parses a body as a JSON object; `good` is an example of one. Fails with 400. */
export function readLabBody(text: string, good: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new ApiError('bad_json', { message: `the body is ${jsonFault(error)}; send ${good}.` })
  }
  if (isObject(value)) return value
  throw badRequest(`the body is not an object; send ${good}.`)
}

const ACCEPT = '{"id": "i_4fQ8sK2mZx0T", "accept": true}'

/** The word that takes a proposed rule. */
const ACCEPTED = 'yes'

/** Parses a body that takes a proposed rule: the message "yes". */
function parseAccept({ accept, id, message }: Readonly<Record<string, unknown>>): ChatMessage {
  if (accept !== true) {
    throw badRequest(`${seenAs('accept', accept)}; send true, such as ${ACCEPT}.`)
  }
  if (message !== undefined) {
    throw badRequest(`accept stands in place of message; send one of them, such as ${ACCEPT}.`)
  }
  const input = ChatInput.safeParse({ message: ACCEPTED, id })
  if (input.success && typeof id === 'string') return { message: ACCEPTED, id }
  throw badRequest(`${seenAs('id', id)}; accept needs an idea: ${ACCEPT}.`)
}

/** A message as it is read; `id` is null when it begins an idea. */
export type ChatMessage = { readonly message: string; readonly id?: string | null | undefined }

/** Parses the body of a message. Fails with 400 and one sentence that names the field. */
export function parseChat(text: string): ChatMessage {
  const value = readLabBody(text, GOOD)
  const { message, id, accept, ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) throw badRequest(`${shown(other)} is no field; send message and id.`)
  if (accept !== undefined) return parseAccept(value)
  if (typeof message !== 'string' || message.trim() === '') {
    throw badRequest(`${seenAs('message', message)}; send an idea in words, such as ${GOOD}.`)
  }
  if (!message.isWellFormed()) throw badRequest('message has half a character; send whole ones.')
  const input = ChatInput.safeParse(value)
  if (input.success) return { message, id: input.data.id }
  throw badRequest(`${seenAs('id', id)}; send an idea, such as "i_4fQ8sK2mZx0T".`)
}
