/** Tracks open connections, and which one has waited for its client longest. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './addresses.ts'

export type Connection = {
  readonly socket: Socket
  readonly address: string
  /** Calls in progress, oldest first. */
  readonly calls: Map<ServerResponse, IncomingMessage>
  /** Sweeps for which the oldest of them has waited for the client. */
  waited: number
  hasResponse: boolean
  /** Set while the connection waits for its client. */
  rank: Rank | null
}

/**
 * How cheap it is to close a connection that waits for its client: one without a request yet, one
 * between two calls, one with half a request or an unread response.
 */
export type Rank = 'fresh' | 'idle' | 'slow'
type Waiting = Readonly<Record<Rank, Set<Connection>>>

export type HeldConnections = {
  readonly all: ReadonlyMap<Socket, Connection>
  readonly countByAddress: (address: string) => number
  readonly enter: (socket: Socket) => Connection
  readonly leave: (connection: Connection) => void
  /** Marks a connection as waiting for its client; null: it no longer waits. */
  readonly wait: (connection: Connection, rank: Rank | null) => void
  /** Connection that has waited longest, of all or of one address; null when none waits. */
  readonly longest: (address?: string) => Connection | null
}

/** A server without connections. */
export function openHeld(): HeldConnections {
  const all = new Map<Socket, Connection>()
  const waitingOfAll = nobody()
  const byAddress = new Map<string, { readonly waiting: Waiting; open: number }>()

  const wait = (connection: Connection, rank: Rank | null) => {
    const before = connection.rank
    connection.rank = rank
    for (const waiting of [waitingOfAll, byAddress.get(connection.address)!.waiting]) {
      if (before !== null) waiting[before].delete(connection)
      if (rank !== null) waiting[rank].add(connection)
    }
  }
  return {
    all,
    wait,
    countByAddress: address => byAddress.get(address)?.open ?? 0,
    enter: socket => {
      const address = addressKey(socket.remoteAddress)
      const connection = {
        socket,
        address,
        calls: new Map(),
        waited: 0,
        hasResponse: false,
        rank: null,
      }
      const own = byAddress.get(address) ?? { waiting: nobody(), open: 0 }
      byAddress.set(address, own)
      own.open++
      all.set(socket, connection)
      wait(connection, 'fresh')
      return connection
    },
    leave: connection => {
      if (!all.delete(connection.socket)) return
      wait(connection, null)
      const own = byAddress.get(connection.address)!
      own.open--
      if (own.open === 0) byAddress.delete(connection.address)
    },
    longest: address => {
      const waiting = address === undefined ? waitingOfAll : byAddress.get(address)?.waiting
      for (const line of Object.values(waiting ?? {})) for (const first of line) return first
      return null
    },
  }
}

// in the order in which they are closed
const nobody = (): Waiting => ({ fresh: new Set(), idle: new Set(), slow: new Set() })
