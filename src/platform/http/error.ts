import { codedEnvelope } from './errors/envelope.ts'
import { maskSecrets } from './mask.ts'

/**
 * All errors of a call. The order of this list is the precedence: when two rows apply to one
 * request, the upper one is returned. docs/errors.md and the OpenAPI file are compared with it.
 */

export type ErrorRow = {
  readonly code: string
  readonly status: number
  /** True when the same call may succeed later unchanged. */
  readonly isRetryable: boolean
  /** Condition for this error; the message states it for the given request. */
  readonly meaning: string
}

export const ERRORS = [
  {
    code: 'bad_request',
    status: 400,
    isRetryable: false,
    meaning: 'the request is not valid HTTP: one Host, at most one Authorization header',
  },
  {
    code: 'request_timeout',
    status: 408,
    isRetryable: true,
    meaning: 'the request did not arrive in full in time',
  },
  {
    code: 'headers_too_large',
    status: 431,
    isRetryable: false,
    meaning: 'the request line and headers are over 16 KiB',
  },
  {
    code: 'unavailable',
    status: 503,
    isRetryable: true,
    meaning:
      'the account store did not answer, files cannot be read, or there are too many ' +
      'connections, calls, questions that wait for their turn, or replays',
  },
  {
    code: 'no_key',
    status: 401,
    isRetryable: false,
    meaning: 'no key, or a key that is mistyped, unknown, revoked or of another scope',
  },
  {
    code: 'plan',
    status: 403,
    isRetryable: false,
    meaning: "the key's account is not on the Orders API or Orders Team plan",
  },
  {
    code: 'rate',
    status: 429,
    isRetryable: true,
    meaning:
      "the account's calls for the day are spent; the count resets at midnight ET; or too many " +
      'of its questions wait for their turn, or of its replays are under way; or too many calls ' +
      'without a key came from one address',
  },
  {
    code: 'no_route',
    status: 404,
    isRetryable: false,
    meaning: 'no such endpoint; paths are case-sensitive and have no slash at the end',
  },
  {
    code: 'method',
    status: 405,
    isRetryable: false,
    meaning: 'the endpoint does not take this method; the header Allow names those it takes',
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    isRetryable: false,
    meaning:
      'the body has a Content-Encoding, or a Content-Type of JSON that names a version or a ' +
      'character set other than UTF-8',
  },
  {
    code: 'body_too_large',
    status: 413,
    isRetryable: false,
    meaning: 'the body is over 16 KiB',
  },
  {
    code: 'bad_json',
    status: 400,
    isRetryable: false,
    meaning: 'the body is not a JSON object, or is nested over 64 levels deep',
  },
  {
    code: 'bad_op',
    status: 400,
    isRetryable: false,
    meaning: '`op` is none that the endpoint takes; the message names them',
  },
  {
    code: 'bad_day',
    status: 400,
    isRetryable: false,
    meaning: '`day` is missing, given twice, or not a date written YYYY-MM-DD',
  },
  {
    code: 'bad_time',
    status: 400,
    isRetryable: false,
    meaning:
      '`asof` or `t` is given twice, is not an ET minute `HH:MM` of the session, or has not ' +
      'come yet',
  },
  {
    code: 'invalid',
    status: 400,
    isRetryable: false,
    meaning: 'what was sent cannot be taken as it is; the message says what to fix',
  },
  {
    code: 'not_found',
    status: 404,
    isRetryable: false,
    meaning:
      'the account keeps no position, alert line, rule or event with this id, or there is no ' +
      'such endpoint under /api/positions or /api/alerts',
  },
  {
    code: 'idempotency_key_reused',
    status: 422,
    isRetryable: false,
    meaning: 'the Idempotency-Key came with another body in the last 24 hours; nothing is changed',
  },
  {
    code: 'not_acceptable',
    status: 406,
    isRetryable: false,
    meaning: 'the Accept header names no format of this endpoint',
  },
  {
    code: 'damaged',
    status: 503,
    isRetryable: true,
    meaning: 'a file of the session is damaged and has to be repaired; wrong bytes are not sent',
  },
  {
    code: 'internal',
    status: 500,
    isRetryable: true,
    meaning: 'the server failed; the request id finds the reason in its log',
  },
] as const satisfies readonly ErrorRow[]

export type ErrorCode = (typeof ERRORS)[number]['code']

/** Returns the catalogue row of a code. */
export const errorRow = (code: ErrorCode): ErrorRow => ERRORS.find(row => row.code === code)!

export type ErrorDetails = {
  /** States the problem of this request and a valid value. */
  readonly message?: string
  /** Extra headers; `retry-after` also becomes `retry_after_s` of the body. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An expected failure: thrown by a route, formatted by the error handler. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? `${errorRow(code).meaning}.`)
    this.code = code
    this.headers = details.headers ?? {}
  }
}

/** A refusal of a call that may be repeated after some seconds. */
export const retryLater = (code: 'rate' | 'unavailable', seen: string, seconds: number) =>
  new ApiError(code, {
    message: `${seen}; ask again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })

/**
 * Body of an error in the common format: `{"error":{"code","message"}}`, and the time to wait. Keys
 * and secrets in its message are masked.
 */
export function errorBody(error: ApiError): string {
  const { code, headers } = error
  const wait = headers['retry-after']
  const extras = wait === undefined ? {} : { retry_after_s: Number(wait) }
  return JSON.stringify(codedEnvelope({ code, message: maskSecrets(error.message), extras }))
}
