/**
 * For a receiver of webhooks: checks that a call really comes from the service. This file needs
 * only Node, so it can be copied as it is; `import ... from 'tapefold/webhook'` is the same.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'

/** Headers as in Node's `request.headers`, or as in `fetch`. */
export type ReceivedHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type ReceivedCall = {
  readonly headers: ReceivedHeaders
  /** The raw bytes, before any parsing. */
  readonly body: Uint8Array
  /** The whole secret, with its `whsec_`. */
  readonly secret: string
  /** The receiver's clock, in milliseconds. */
  readonly nowMs: number
  /**
   * Checks the header X-Service-Signature-V0 instead, which signs the body alone: anybody who has
   * seen such a call can replay it at any time. Sent for positions only, until 2026-11-30.
   */
  readonly legacy?: boolean
}

/** Maximum difference between the time of a call and the receiver's clock, either way. */
const TOLERANCE_MS = 300_000

/** True when a call was signed with the secret, at most 300 seconds ago or ahead. */
export const verifyWebhook = (call: ReceivedCall): boolean => explainRefusal(call) === null

/**
 * Returns why a call is refused, in words for the receiver's own log; null when it is valid. Fails
 * where no result would be safe: without a secret, or with a body that was parsed before.
 */
export function explainRefusal({
  headers,
  body,
  secret,
  nowMs,
  legacy = false,
}: ReceivedCall): string | null {
  if (typeof secret !== 'string' || secret.trim() === '') throw new Error('the secret is empty')
  if (!(body instanceof Uint8Array)) {
    throw new TypeError('body must be the raw bytes, before anything parses them')
  }
  if (!Number.isFinite(nowMs)) throw new TypeError('nowMs must be the milliseconds of a clock')
  const name = legacy ? 'x-service-signature-v0' : 'x-service-signature'
  const signature = readHeader(headers, name)
  if (signature === null) return `the header ${name} is missing, or there twice`
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? []
  if (hex === undefined) return `the header ${name} is not sha256= and 64 hexadecimal digits`
  const timestamp = readHeader(headers, 'x-service-timestamp')
  if (!legacy) {
    if (timestamp === null) return 'the header x-service-timestamp is missing, or there twice'
    if (!/^(0|[1-9]\d{0,11})$/.test(timestamp))
      return 'x-service-timestamp is not a time in seconds'
    const ageMs = nowMs - Number(timestamp) * 1000
    if (ageMs > TOLERANCE_MS) return 'the call is more than 300 seconds old'
    if (ageMs < -TOLERANCE_MS) return 'the call is more than 300 seconds ahead of this clock'
  }
  const hmac = createHmac('sha256', secret).update(legacy ? '' : `${timestamp}.`)
  const expected = hmac.update(body).digest()
  // both have 32 bytes, and the comparison takes the same time however many are equal
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'))
    ? null
    : 'the signature is not that of this body and secret'
}

/** Reads a header by its lower-case name; null when it is missing or repeated. */
function readHeader(headers: ReceivedHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name)
  const values = found.flatMap(([, value]) => value ?? [])
  return values.length === 1 ? values[0]! : null
}

/** Ids of events already processed. */
export type SeenIds = {
  /** True the first time an id is passed; take it from the body, which is signed. */
  readonly isNew: (id: string) => boolean
}

const IDS_MAX = 10_000

/**
 * Remembers the newest ids in memory: all attempts of an event share one id, and a receiver drops
 * duplicates. A receiver that restarts often, or runs twice, needs a database with a unique key.
 */
export function createSeenIds(max = IDS_MAX): SeenIds {
  const seen = new Set<string>()
  return {
    isNew: id => {
      if (seen.has(id)) return false
      seen.add(id)
      if (seen.size > max) seen.delete(seen.values().next().value!)
      return true
    },
  }
}
