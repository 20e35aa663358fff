/** Which connections a server holds, and for how long they may wait for their clients. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, isProxy, type Proxies } from './addresses.ts'
import { connectionsWithin, descriptorLimit } from './descriptors.ts'
import { ApiError } from './error.ts'
import { type Connection, type HeldConnections, openHeld } from './held.ts'
import type { Log } from './request.ts'
import { destroyAfterGrace, isHeadRequest, respondOnSocket } from './socketAnswer.ts'

export type ConnectionLimits = {
  /** Connections in all, and of one address: an IPv4 address or a /64 network of IPv6. */
  readonly connections: number
  readonly ofAddress: number
  /** From the first moment of a connection, or of a request, to the end of its head. */
  readonly headMs: number
  /** From there to the end of its body; both together. */
  readonly requestMs: number
  /** Without a byte that the client takes of its answer. */
  readonly responseMs: number
  /** From an answer to the next request. */
  readonly idleMs: number
  /** Whose connections are not bounded by address: they carry the calls of many. */
  readonly proxies: Proxies
}

/** The limits of a server that is told of none, or of some. */
export const connectionLimits = (given: Partial<ConnectionLimits> = {}): ConnectionLimits => ({
  connections: connectionsWithin(descriptorLimit()),
  ofAddress: 256,
  // the API takes no bodies worth waiting for
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
  /** False where there is no room: the connection is then refused. */
  readonly take: (socket: Socket) => boolean
  readonly begin: (req: IncomingMessage, res: ServerResponse) => void
  /** What to do with a connection on which nothing has moved for a while. */
  readonly quiet: (socket: Socket) => void
  /** Looks at all of them, once a second. */
  readonly sweep: () => void
  readonly count: () => ConnectionCounts
}

export type ConnectionCounts = {
  readonly open: number
  /** Closed to make room for others, and turned away, since the start. */
  readonly shed: number
  readonly refused: number
}

/** Connections that are turned away, but still read their answer. */
const LEAVING_MAX = 64
export const SWEEP_MS = 1_000
/** Sweeps after which a request or an answer that waits for its client may make room for others. */
const SLOW_SWEEPS = 2
/** An answer that is taken byte by byte ends after so many times the limit of one without any. */
const TRICKLE_TIMES = 10

/**
 * Holds the connections of a server. Where there are too many, in all or of one address, a new one
 * takes the place of the one that has waited for its client for longest; where none waits, the new
 * one is refused.
 */
export function holdConnections(limits: ConnectionLimits, log: Log): Connections {
  const held = openHeld()
  const refuseConnection = openDoor(log)
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
    res.once('close', () => {
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
  return { limits, take, begin, quiet, sweep, count: () => ({ open: held.all.size, ...total }) }
}

/** Counts how long a call waits for its client, and ends an answer that takes too long in all. */
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

/** Answers connections that there is no room for; a few of them at a time may read it. */
function openDoor(log: Log): (socket: Socket, message: string) => void {
  const leaving = new Set<Socket>()
  return (socket, message) => {
    const [oldest] = leaving
    if (leaving.size >= LEAVING_MAX) oldest!.destroy()
    leaving.add(socket)
    socket.once('close', () => leaving.delete(socket))
    socket.on('error', () => socket.destroy())
    // not before the client has said something: it may be a HEAD
    socket.once('data', bytes => {
      const error = new ApiError('unavailable', { message, headers: { 'retry-after': '1' } })
      respondOnSocket({ socket, error, isHead: isHeadRequest(bytes), log })
      socket.resume()
    })
    destroyAfterGrace(socket)
  }
}

/** Says in the log when all connections are taken, and when a tenth of them is free again. */
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

/** Whether the server is done with the call that a connection stands at, and its client is not. */
function isUnread({ calls }: Connection): boolean {
  const [res] = calls.keys()
  return res?.writableEnded === true && !res.writableFinished
}

/** Whether the body of the call that a connection stands at has not come in full. */
function isUnsent({ calls }: Connection): boolean {
  const [req] = calls.values()
  return req?.complete === false
}
