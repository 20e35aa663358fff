/** Limits the connections of a server, and how long they may wait for their clients. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, isProxy, type Proxies } from './addresses.ts'
import { connectionsWithin, descriptorLimit } from './descriptors.ts'
import { ApiError } from './error.ts'
import { transportSecurity } from './headers.ts'
import { type Connection, type HeldConnections, openHeld } from './held.ts'
import type { Log } from './request.ts'
import {
  destroyAfterGrace,
  isHeadRequest,
  respondOnSocket,
  type SocketResponse,
} from './socketResponse.ts'

export type ConnectionLimits = {
  /** Connections in all, and per address: an IPv4 address or a /64 network of IPv6. */
  readonly connections: number
  readonly ofAddress: number
  /** From the start of a connection, or of a request, to the end of its head. */
  readonly headMs: number
  /** From the end of the head to the end of the body; both together. */
  readonly requestMs: number
  /** Time without the client reading a byte of the response. */
  readonly responseMs: number
  /** From a response to the next request. */
  readonly idleMs: number
  /** Addresses without a limit of their own: their connections carry the calls of many clients. */
  readonly proxies: Proxies
}

/** Fills in the default limits of a server. */
export const connectionLimits = (given: Partial<ConnectionLimits> = {}): ConnectionLimits => ({
  connections: connectionsWithin(descriptorLimit()),
  ofAddress: 256,
  // the API takes no large bodies
  headMs: 10_000,
  requestMs: 20_000,
  responseMs: 20_000,
  // above the idle time of common load balancers (60 s), so that they close first
  idleMs: 65_000,
  proxies: [],
  ...given,
})

export type Connections = {
  readonly limits: ConnectionLimits
  /** Returns false when there is no capacity: the connection is then refused. */
  readonly take: (socket: Socket) => boolean
  /** Sends an error on a connection whose request reached no router, and ends the connection. */
  readonly respond: Respond
  readonly begin: (req: IncomingMessage, res: ServerResponse) => void
  /** Handles a connection that has been idle for a while. */
  readonly quiet: (socket: Socket) => void
  /** Checks all connections, once a second. */
  readonly sweep: () => void
  readonly count: () => ConnectionCounts
}

type Respond = (response: Pick<SocketResponse, 'socket' | 'error' | 'isHead'>) => void

export type ConnectionCounts = {
  readonly open: number
  /** Connections closed in favour of others, and refused, since the start. */
  readonly shed: number
  readonly refused: number
}

/** Maximum number of refused connections that are still reading their response. */
const LEAVING_MAX = 64
export const SWEEP_MS = 1_000
/** Sweeps after which a request or response that waits for its client may be closed for others. */
const SLOW_SWEEPS = 2
/** Limit for a whole response that is read byte by byte, as a multiple of that without any byte. */
const TRICKLE_TIMES = 10

/**
 * Manages the connections of a server. When there are too many, in all or of one address, a new one
 * replaces the one that has waited for its client longest; when none waits, the new one is refused.
 * `coversSubdomains`: refusals tell browsers to use TLS for subdomains of this server too.
 */
export function holdConnections(
  limits: ConnectionLimits,
  log: Log,
  coversSubdomains = false,
): Connections {
  const held = openHeld()
  const secured = { log, transportSecurity: transportSecurity(coversSubdomains) }
  const respond: Respond = response => respondOnSocket({ ...response, ...secured })
  const refuseConnection = openDoor(respond)
  const reportFull = fullTeller(limits, log)
  const total = { shed: 0, refused: 0 }

  const freeConnection = (address?: string): boolean => {
    const longest = held.longest(address)
    if (!longest) return false
    total.shed++
    held.leave(longest)
    longest.socket.destroy()
    return true
  }
  const refuse = (socket: Socket, message: string): false => {
    total.refused++
    refuseConnection(socket, message)
    return false
  }
  const take = (socket: Socket): boolean => {
    const address = addressKey(socket.remoteAddress)
    const own = held.countByAddress(address)
    const isBounded = !isProxy(socket.remoteAddress, limits.proxies)
    if (isBounded && own >= limits.ofAddress && !freeConnection(address)) {
      return refuse(socket, `${own} connections of this address are open; close some first.`)
    }
    const isFull = held.all.size >= limits.connections
    if (isFull) reportFull(held.all.size)
    if (isFull && !freeConnection()) {
      return refuse(socket, 'all connections of the server are taken; ask again in a second.')
    }
    const connection = held.enter(socket)
    socket.once('close', () => held.leave(connection))
    return true
  }
  const begin = (req: IncomingMessage, res: ServerResponse) => {
    const connection = held.all.get(req.socket)
    if (!connection) return
    connection.calls.set(res, req)
    connection.waited = 0
    held.wait(connection, null)
    res.on('close', () => {
      connection.calls.delete(res)
      connection.waited = 0
      connection.hasResponse = true
      const isHeld = held.all.has(connection.socket)
      if (isHeld) held.wait(connection, connection.calls.size === 0 ? 'idle' : null)
    })
  }
  const quiet = (socket: Socket) => {
    const connection = held.all.get(socket)
    const isIdle = connection?.calls.size === 0 && connection.hasResponse
    if (!connection || isIdle || isUnread(connection)) socket.destroy()
  }
  const sweep = () => {
    for (const connection of held.all.values()) sweepOne(connection, held, limits)
    reportFull(held.all.size)
  }
  const count = () => ({ open: held.all.size, ...total })
  return { limits, take, respond, begin, quiet, sweep, count }
}

/** Counts how long a call waits for its client, and ends a response that takes too long in all. */
function sweepOne(
  connection: Connection,
  held: HeldConnections,
  { responseMs }: ConnectionLimits,
): void {
  if (connection.calls.size === 0) return
  const isSending = isUnread(connection)
  const isWaiting = isSending || isUnsent(connection)
  if (!isWaiting && connection.waited >= SLOW_SWEEPS) held.wait(connection, null)
  connection.waited = isWaiting ? connection.waited + 1 : 0
  if (connection.waited === SLOW_SWEEPS) held.wait(connection, 'slow')
  const trickleSweeps = (responseMs * TRICKLE_TIMES) / SWEEP_MS
  if (isSending && connection.waited > trickleSweeps) connection.socket.destroy()
}

/** Sends an error to refused connections; only a few at a time may read it. */
function openDoor(respond: Respond): (socket: Socket, message: string) => void {
  const leaving = new Set<Socket>()
  return (socket, message) => {
    const [oldest] = leaving
    if (leaving.size >= LEAVING_MAX) oldest!.destroy()
    leaving.add(socket)
    socket.once('close', () => leaving.delete(socket))
    socket.on('error', () => socket.destroy())
    // not before the client has sent something: it may be a HEAD
    socket.once('data', bytes => {
      const error = new ApiError('unavailable', { message, headers: { 'retry-after': '1' } })
      respond({ socket, error, isHead: isHeadRequest(bytes) })
      socket.resume()
    })
    destroyAfterGrace(socket)
  }
}

/** Logs when all connections are taken, and when a tenth of them is free again. */
function fullTeller({ connections }: ConnectionLimits, log: Log): (open: number) => void {
  let isFull = false
  return open => {
    if (!isFull && open >= connections) {
      isFull = true
      log.error({ connections }, 'all connections are taken')
    } else if (isFull && open < connections * 0.9) {
      isFull = false
      log.info({ connections: open }, 'connections are free again')
    }
  }
}

/** True when the current response is complete and the client has not read it. */
function isUnread({ calls }: Connection): boolean {
  const [res] = calls.keys()
  return res?.writableEnded === true && !res.writableFinished
}

/** True when the body of the current request of a connection is incomplete. */
function isUnsent({ calls }: Connection): boolean {
  const [req] = calls.values()
  return req?.complete === false
}
