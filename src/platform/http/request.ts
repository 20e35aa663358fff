import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { ApiError } from './error.ts'
import {
  COMMON_ERRORS,
  type ErrorCatalogue,
  type ErrorResponse,
  isExpected,
  toErrorResponse,
} from './errors/catalogue.ts'
import { PRIVATE_HEADERS } from './headers.ts'
import { hasKey, maskedStart, maskSecrets } from './mask.ts'
import { sendError, sendErrorPage } from './response.ts'
import { unreadFiles } from './unavailable.ts'

/** Logger interface, a subset of pino's. */
export type Log = {
  readonly info: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
}

/** State of a request while it is handled. */
export type RequestContext = {
  readonly requestId: string
  readonly startedAtMs: number
  /** `ordk_…x7Qa`, once the key is verified. */
  shownKey?: string
  keyId?: string
  accountId?: string
  /** True while the key of the call would be admitted again. */
  isAdmitted?: () => Promise<boolean>
  /** Error catalogue of the route's product, once known. */
  errors?: ErrorCatalogue
  /** Errors are sent as 200, their status in a header. */
  isSentAs200?: boolean
  /** True for this site's own pages: no other origin may send the request or read its response. */
  isPrivate?: boolean
}

/** Headers a browser page of another origin may send (Fetch standard, CORS). */
const ALLOWED_HEADERS =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, ' +
  'Last-Event-ID, Prefer, Range, X-Request-Id'
const READING_METHODS = 'GET, HEAD, OPTIONS'

const LOGGED_PATH_LENGTH = 200
const SHOWN_LENGTH = 40

export const requestContext = (res: Response): RequestContext =>
  res.locals.context as RequestContext

/** Recent paths that are logged as they are: looking for secrets takes longer than a log line. */
const plainPaths = new LRUCache<string, true>({ max: 1_000 })

/** Returns a path as it is logged. */
function maskPath(path: string): string {
  if (plainPaths.get(path)) return path
  const masked = maskedStart(path, LOGGED_PATH_LENGTH)
  if (masked === path) plainPaths.set(path, true)
  return masked
}

/** Assigns each request an id and writes one log line when it ends: never a key, never a query. */
export function beginRequest(nowMs: () => number, log: Log): RequestHandler {
  return (req, res, next) => {
    const requestId = readRequestId(req)
    const context: RequestContext = { requestId, startedAtMs: nowMs() }
    res.locals.context = context
    res.setHeader('x-request-id', requestId)
    const path = maskPath(req.url.split('?')[0]!)
    res.on('close', () => {
      const { shownKey, accountId } = context
      const status = Number(res.getHeader('x-service-status') ?? res.statusCode)
      const fields = { requestId, method: req.method, path, status }
      log.info({ ...fields, shownKey, accountId, ms: nowMs() - context.startedAtMs }, 'answered')
    })
    next()
  }
}

/** Formats later errors of the call by this catalogue. */
export const useErrors =
  (errors: ErrorCatalogue): RequestHandler =>
  (_req, res, next) => {
    requestContext(res).errors = errors
    next()
  }

/** Blocks pages of other origins from these paths. */
export function closeToOthers(paths: readonly string[]): RequestHandler {
  return (req, res, next) => {
    if (!paths.some(path => isBelow(req.url, path))) return next()
    requestContext(res).isPrivate = true
    res.setHeaders(PRIVATE_HEADERS as Map<string, string>)
    next()
  }
}

/** True when a URL is a path, or below it. */
export function isBelow(url: string, path: string): boolean {
  if (!url.startsWith(path)) return false
  const end = url[path.length]
  return end === undefined || end === '/' || end === '?'
}

/** Refuses invalid requests that Node's parser accepts. */
export const refuseMalformed: RequestHandler = (req, _res, next) => {
  const hosts = countHeader(req, 'host')
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) {
    throw new ApiError('bad_request', { message: 'send exactly one Host header.' })
  }
  if (countHeader(req, 'authorization') > 1) {
    throw new ApiError('bad_request', { message: 'send one Authorization header, not several.' })
  }
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') {
    throw new ApiError('bad_request', { message: 'the request must be HTTP/1.1 or HTTP/1.0.' })
  }
  if (!req.url.startsWith('/') && !(req.url === '*' && req.method === 'OPTIONS')) {
    throw new ApiError('bad_request', { message: 'the request target must begin with a slash.' })
  }
  // a conforming client never sends a fragment
  if (/[#\\\s]/.test(req.url)) {
    throw new ApiError('bad_request', { message: 'the request target has a forbidden character.' })
  }
  next()
}

/**
 * Responds to OPTIONS, the preflight of browsers, without a key and without counting;
 * `methodsByPath` has the paths that accept other methods than GET and HEAD.
 */
export function respondToOptions(methodsByPath: Readonly<Record<string, string>>): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'OPTIONS' || requestContext(res).isPrivate) return next()
    const path = req.url.split('?')[0]!
    const methods = Object.hasOwn(methodsByPath, path) ? methodsByPath[path]! : READING_METHODS
    res.setHeader('allow', methods)
    res.setHeader('access-control-allow-methods', methods)
    res.setHeader('access-control-allow-headers', ALLOWED_HEADERS)
    res.setHeader('access-control-max-age', '86400')
    res.writeHead(204).end()
  }
}

/** Ends in 404: `no_route`, or the product's name for it. */
export const refuseRoute = refusePathAs('no_route')

export function refusePathAs(code: 'no_route' | 'not_found'): RequestHandler {
  return req => {
    throw new ApiError(code, {
      message: `there is no endpoint ${shown(req.originalUrl.split('?')[0]!)}; see /docs.`,
    })
  }
}

/** Serves each path below a mount by its own handler, and no other path. */
export function routePaths(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  const byPath = new Map(Object.entries(handlers))
  return (req, res, next) => (byPath.get(req.path) ?? refuseRoute)(req, res, next)
}

/** A handler of GET and HEAD; another method is 405 `method`. */
export function reading(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return handler(req, res, next)
    throw new ApiError('method', {
      message: `this endpoint takes GET and HEAD, not ${req.method}.`,
      headers: { allow: READING_METHODS },
    })
  }
}

/**
 * Responds to thrown errors: expected failures as they are, unreadable files as 503 `unavailable`,
 * anything else as 500 `internal`.
 */
export function respondToErrors(log: Log, asPage: ErrorPage = () => null): ErrorRequestHandler {
  // express recognises an error handler by its four parameters
  return (thrown: unknown, req, res, _next) => {
    const { requestId, errors = COMMON_ERRORS, isSentAs200 = false } = requestContext(res)
    const error = isExpected(thrown) ? thrown : (unreadFiles(thrown) ?? new ApiError('internal'))
    const response = toErrorResponse(error, errors)
    if (response.status >= 500) {
      const cause = isExpected(thrown) ? (thrown.cause ?? thrown) : thrown
      log.error({ requestId, err: maskSecrets(formatStack(cause)) }, response.code)
    }
    if (res.headersSent) {
      res.destroy()
      return
    }
    const page = asPage(req, { ...response, message: maskSecrets(error.message), requestId })
    if (page === null) sendError(res, isSentAs200 ? as200(response) : response)
    else sendErrorPage(res, response, page)
  }
}

/** Renders an error as a page for people; null when the client is a program. */
export type ErrorPage = (req: Request, error: ShownError) => string | null

export type ShownError = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId: string
}

/** For clients that ignore the body of other statuses. */
const as200 = ({ status, headers, ...rest }: ErrorResponse): ErrorResponse => ({
  ...rest,
  status: 200,
  headers: { ...headers, 'x-service-status': String(status) },
})

/** Formats a value for a message: masked, cut, quoted, escaped. */
export const shown = (value: string): string => JSON.stringify(maskedStart(value, SHOWN_LENGTH))

/** The client's own id when it is short and safe to log, else a new one. */
function readRequestId(req: IncomingMessage): string {
  const given = req.headers['x-request-id']
  const isSafe = typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
  // an id is logged and sent back unchanged, and so would be a key in the wrong header
  return isSafe && !hasKey(given) ? given : randomUUID()
}

function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const text = rawHeaders[index]!
    if (text.length === name.length && text.toLowerCase() === name) count++
  }
  return count
}

const formatStack = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
