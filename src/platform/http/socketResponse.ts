/** Responses sent without a router: to malformed requests, and to connections above the limit. */

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { systemClock } from '../../core/clock.ts'
import { type ApiError, errorBody, errorRow } from './error.ts'
import { OPEN_HEADERS, SECURITY_HEADERS } from './headers.ts'
import type { Log } from './request.ts'
import { JSON_TYPE } from './response.ts'

/** Time a client has to read a response and to close its side. */
export const GRACE_MS = 1_000

export type SocketResponse = {
  readonly socket: Duplex
  readonly error: ApiError
  /** A response to HEAD has no body, or the client would read it as the next response. */
  readonly isHead: boolean
  readonly log: Log
  /** Value of `Strict-Transport-Security`. */
  readonly transportSecurity: string
}

/** Sends an error in the envelope, ends the connection, and destroys it after a short grace. */
export function respondOnSocket(response: SocketResponse): void {
  const { socket, error, isHead, log, transportSecurity } = response
  const requestId = randomUUID()
  const { status } = errorRow(error.code)
  const body = errorBody(error)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date(systemClock.nowMs()).toUTCString()}`,
    `Strict-Transport-Security: ${transportSecurity}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    ...[...OPEN_HEADERS, ...SECURITY_HEADERS, ...Object.entries(error.headers)].map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'Connection: close',
  ]
  log.info({ requestId, status }, 'refused')
  socket.on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`)
  destroyAfterGrace(socket)
}

/** A client that does not close its side, or reads nothing, holds the connection no longer. */
export function destroyAfterGrace(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), GRACE_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

/** True when the first bytes of a request are those of a HEAD. */
export const isHeadRequest = (bytes: Buffer | undefined): boolean =>
  bytes?.subarray(0, 5).toString('latin1') === 'HEAD '
