import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import { invalid } from '../platform/http/changeBody.ts'
import { ApiError } from '../platform/http/error.ts'
import { JSON_TYPE } from '../platform/http/response.ts'
import type { ChangeResponse, Repeat } from './repeats.ts'

/** Changes that a client may repeat, with an Idempotency-Key of its own. */

/** Valid keys: at most 255 printable ASCII characters. */
const REPEAT_KEY = /^[\x20-\x7e]{1,255}$/

/** Returns the key of a repeatable change; null when none was sent. Fails with `invalid`. */
export function readIdempotencyKey(req: Request, change: object): Repeat | null {
  const key = req.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && REPEAT_KEY.test(key)) {
    // hashed like an API key: a client may send any secret of its own here
    return { key: hash('sha256', key), requestHash: hashChange(change) }
  }
  const seen = `the Idempotency-Key header has ${key.length} characters`
  throw invalid(`${seen}; give 1 to 255 printable ones of ASCII, such as a UUID.`)
}

/** Sends the response of a change. Fails with `idempotency_key_reused`. */
export function sendChanged(res: Response, changed: ChangeResponse | null): void {
  if (changed === null) {
    throw new ApiError('idempotency_key_reused', {
      message: 'this Idempotency-Key came with another body in the last 24 hours; give a new one.',
    })
  }
  if (changed.isReplay) res.setHeader('idempotency-replayed', 'true')
  const body = Buffer.from(changed.response)
  res.setHeader('content-type', JSON_TYPE)
  res.setHeader('content-length', body.byteLength)
  res.setHeader('cache-control', 'no-store')
  res.writeHead(200).end(body)
}

/** Hashes a body; equal for equal requests, whatever the order of their fields. */
function hashChange(change: object): string {
  const text = JSON.stringify(change, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  return hash('sha256', text)
}
