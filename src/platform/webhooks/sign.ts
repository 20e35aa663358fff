import { createHmac } from 'node:crypto'
import { deprecationDates, isStillSent } from '../http/deprecations.ts'

export type ToSign = {
  readonly type: string
  readonly id: string
  readonly body: Buffer
  /** `whsec_` and base64. */
  readonly secret: string
  /** Start of the attempt, by the system's clock: each attempt is signed again. */
  readonly atMs: number
  /** True when it is sent for a position, not for the list of alerts. */
  readonly isPosition: boolean
}

/**
 * All headers of a delivery, in sending order: the service's own, those of Standard Webhooks for
 * its libraries, and those that announce deprecated parts.
 */
export function signedHeaders(delivery: ToSign): Record<string, string> {
  const { type, id, body, secret, atMs } = delivery
  const timestamp = String(Math.floor(atMs / 1000))
  const standard = keyed(standardKey(secret), `${id}.${timestamp}.`, body).digest('base64')
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': type,
    'X-Service-Event-Id': id,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': `sha256=${keyed(secret, `${timestamp}.`, body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
    ...deprecatedHeaders(delivery),
  }
}

/** All headers of a delivery of public records, whose signature has its own form. */
export function geoHeaders({ type, id, body, secret, atMs }: Omit<ToSign, 'isPosition'>) {
  const timestamp = String(Math.floor(atMs / 1000))
  const signature = keyed(secret, `${timestamp}.`, body).digest('hex')
  return {
    'Content-Type': 'application/json',
    'X-Geo-Event': type,
    'X-Geo-Event-Id': id,
    'X-Geo-Signature': `t=${timestamp},v1=${signature}`,
  }
}

function keyed(key: string | Buffer, start: string, body: Buffer) {
  if (key.length === 0) throw new Error('the secret of a webhook is empty')
  return createHmac('sha256', key).update(start).update(body)
}

const SECRET_PREFIX = 'whsec_'

/** Standard Webhooks uses the decoded bytes of a secret. */
const standardKey = (secret: string): Buffer =>
  Buffer.from(
    secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret,
    'base64',
  )

/** Inside a JSON string its quotes would be escaped by a backslash. */
const PUT_SUPPORT = '"put_support":'

/** Headers for the deprecated parts of a delivery, with those of RFC 8594 and RFC 9745. */
function deprecatedHeaders({ body, secret, atMs, isPosition }: ToSign): Record<string, string> {
  const hasV0 = isPosition && isStillSent('signature_v0', atMs)
  if (hasV0) {
    const { endsAtMs, deprecatedAtMs } = deprecationDates('signature_v0')
    return {
      'X-Service-Signature-V0': `sha256=${keyed(secret, '', body).digest('hex')}`,
      ...(deprecatedAtMs === null ? {} : { Deprecation: `@${deprecatedAtMs / 1000}` }),
      Sunset: httpDate(endsAtMs),
    }
  }
  // the bytes of an event never change: a retry after the last day may still contain it
  return body.includes(PUT_SUPPORT)
    ? { Sunset: httpDate(deprecationDates('put_support').endsAtMs) }
    : {}
}

const httpDate = (atMs: number): string => new Date(atMs).toUTCString()
