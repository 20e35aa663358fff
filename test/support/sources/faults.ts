// Faults of a source: other responses, and the right response served badly.

import type { SourceRequest } from './serve.ts'

/**
 * Replaces or damages the response to some requests. With `status` or `body` the response is another
 * one; without them it is the right one, served as the remaining fields say.
 */
export type Fault = {
  /** True for the requests it applies to, or a pattern of "GET /path?query"; all by default. */
  readonly match?: RegExp | ((request: SourceRequest) => boolean)
  /** Matching requests that pass before the first fault; 0 by default. */
  readonly after?: number
  /** Matching requests it applies to; 1 by default. */
  readonly times?: number
  readonly status?: number
  /** Headers that are added to the response, or replace one of it. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds before the first byte. */
  readonly delayMs?: number
  /** Closes the connection before any response. */
  readonly isDropped?: true
  /** Body bytes after which the connection is destroyed, before the response has ended. */
  readonly cutAfter?: number
  /** Body bytes after which the response ends as if it were whole. */
  readonly endAfter?: number
  /** Body bytes after which nothing comes until the client leaves. */
  readonly stallAfter?: number
  readonly bytesPerSecond?: number
  /** Framing of the body: chunks, or a content-length (then the body is collected in memory). */
  readonly framing?: 'chunked' | 'length'
  /** Parameters whose rows are served in place of those of the request. */
  readonly instead?: Readonly<Record<string, string>>
  /** New names of columns of a table; null leaves the column out. */
  readonly columns?: Readonly<Record<string, string | null>>
}

/** Destroys the connection after so many bytes of the body. */
export const cutAfter = (bytes: number): Fault => ({ cutAfter: bytes })

/** Ends the response regularly after so many bytes: a compressed body is cut in its middle. */
export const endAfter = (bytes: number): Fault => ({ endAfter: bytes })

/** Sends so many bytes of the body and then nothing more. */
export const stallAfter = (bytes: number): Fault => ({ stallAfter: bytes })

/** Sends the body at so many bytes a second. */
export const slowTo = (bytesPerSecond: number): Fault => ({ bytesPerSecond })

/** Closes the connection without a response. */
export const droppedConnection = (): Fault => ({ isDropped: true })

/** Responds 200 with an empty body. */
export const emptyBody = (): Fault => ({ status: 200, body: '' })

const HTML =
  '<!DOCTYPE html>\n<html><head><title>Service unavailable</title></head>' +
  '<body><h1>We will be back soon</h1></body></html>\n'

/** Responds with the web page of an error, with 200 unless another status is given. */
export const htmlPage = (status = 200): Fault => ({
  status,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: HTML,
})

/** Responds 429; `retryAfter` is in seconds, or a date, or left out. */
export const tooManyRequests = (retryAfter?: number | Date): Fault => ({
  status: 429,
  headers: { 'content-type': 'text/plain', ...retryAfterHeader(retryAfter) },
  body: 'Too Many Requests',
})

/** Responds with a status of 500 and above; `retryAfter` is in seconds, or a date, or left out. */
export const serverError = (status = 503, retryAfter?: number | Date): Fault => ({
  status,
  headers: { 'content-type': 'text/plain', ...retryAfterHeader(retryAfter) },
  body: 'Internal Server Error',
})

function retryAfterHeader(retryAfter: number | Date | undefined): Record<string, string> {
  if (retryAfter === undefined) return {}
  const value = typeof retryAfter === 'number' ? String(retryAfter) : retryAfter.toUTCString()
  return { 'retry-after': value }
}

/** Redirects to another address. */
export const redirectTo = (location: string, status = 302): Fault => ({
  status,
  headers: { location },
  body: '',
})

/** Serves the rows of a request with other parameters, such as another day's or symbol's. */
export const rowsOf = (instead: Readonly<Record<string, string>>): Fault => ({ instead })

/** Serves a table whose columns have other names, or are missing (null). */
export const otherColumns = (columns: Readonly<Record<string, string | null>>): Fault => ({
  columns,
})
