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

const row =
  <const IsRetryable extends boolean>(isRetryable: IsRetryable) =>
  <const Code extends string, const Own extends object = object>(
    code: Code,
    status: number,
    meaning: string,
    own = {} as Own,
  ) =>
    ({ code, status, isRetryable, meaning, ...own }) as const

/** A row for a request that has to be changed, and for one that may be sent again as it is. */
export const [refusalRow, retryRow] = [row(false), row(true)]

export const ERRORS = [
  refusalRow(
    'bad_request',
    400,
    'the request is not valid HTTP: one Host, at most one Authorization header',
  ),
  retryRow('request_timeout', 408, 'the request did not arrive in full in time'),
  refusalRow('headers_too_large', 431, 'the request line and headers are over 16 KiB'),
  retryRow(
    'unavailable',
    503,
    'the account store did not answer, files cannot be read, or there are too many ' +
      'connections, calls, questions that wait for their turn, or replays',
  ),
  refusalRow(
    'no_key',
    401,
    'no key, or a key that is mistyped, unknown, revoked or of another scope',
  ),
  refusalRow('plan', 403, "the key's account is not on the Orders API or Orders Team plan"),
  retryRow(
    'rate',
    429,
    "the account's calls for the day are spent; the count resets at midnight ET; or too many " +
      'of its questions wait for their turn, or of its replays are under way; or too many calls ' +
      'without a key came from one address',
  ),
  refusalRow(
    'no_route',
    404,
    'no such endpoint; paths are case-sensitive and have no slash at the end',
  ),
  refusalRow(
    'method',
    405,
    'the endpoint does not take this method; the header Allow names those it takes',
  ),
  refusalRow(
    'unsupported_media_type',
    415,
    'the body has a Content-Encoding, or a Content-Type of JSON that names a version or a ' +
      'character set other than UTF-8',
  ),
  refusalRow('body_too_large', 413, 'the body is over 16 KiB'),
  refusalRow('bad_json', 400, 'the body is not a JSON object, or is nested over 64 levels deep'),
  refusalRow('bad_op', 400, '`op` is none that the endpoint takes; the message names them'),
  refusalRow('bad_day', 400, '`day` is missing, given twice, or not a date written YYYY-MM-DD'),
  refusalRow(
    'bad_time',
    400,
    '`asof` or `t` is given twice, is not an ET minute `HH:MM` of the session, or has not ' +
      'come yet',
  ),
  refusalRow(
    'invalid',
    400,
    'what was sent cannot be taken as it is; the message says what to fix',
  ),
  refusalRow(
    'not_found',
    404,
    'the account keeps no position, alert line, rule or event with this id, or there is no ' +
      'such endpoint under /api/positions or /api/alerts',
  ),
  refusalRow(
    'idempotency_key_reused',
    422,
    'the Idempotency-Key came with another body in the last 24 hours; nothing is changed',
  ),
  refusalRow('not_acceptable', 406, 'the Accept header names no format of this endpoint'),
  retryRow(
    'damaged',
    503,
    'a file of the session is damaged and has to be repaired; wrong bytes are not sent',
  ),
  retryRow('internal', 500, 'the server failed; the request id finds the reason in its log'),
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
