/** Which connections are there, and which of them waits for its client for longest. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './addresses.ts'

export type Connection = {
  readonly socket: Socket
  readonly address: string
  /** Calls under way, oldest first. */
  readonly calls: Map<ServerResponse, IncomingMessage>
  /** For how many sweeps the oldest of them waits for the client. */
  waited: number
  hasResponse: boolean
}

/**
 * How little is lost with a connection that waits for its client: one on which no request has come
 * yet, one between two calls, one with half a request or an answer that is not read.
 */
export type Rank = 'fresh' | 'idle' | 'slow'
type Waiting = Readonly<Record<Rank, Set<Connection>>>

export type HeldConnections = {
  readonly all: ReadonlyMap<Socket, Connection>
  readonly countByAddress: (address: string) => number
  readonly enter: (socket: Socket) => Connection
  readonly leave: (connection: Connection) => void
  /** Says that a connection waits for its client from now on; null: it does not. */
  readonly wait: (connection: Connection, rank: Rank | null) => void
  /** Of all, or of one address, the one whose client is waited for longest; null: nobody waits. */
  readonly longest: (address?: string) => Connection | null
}

/** A server without connections. */
export function openHeld(): HeldConnections {
  const all = new Map<Socket, Connection>()
  const waitingOfAll = nobody()
  const byAddress = new Map<string, { readonly waiting: Waiting; open: number }>()

  const wait = (connection: Connection, rank: Rank | null) => {
    for (const waiting of [waitingOfAll, byAddress.get(connection.address)!.waiting]) {
      for (const line of Object.values(waiting)) line.delete(connection)
      if (rank !== null) waiting[rank].add(connection)
    }
  }
  return {
    all,
    wait,
    countByAddress: address => byAddress.get(address)?.open ?? 0,
    enter: socket => {
      const address = addressKey(socket.remoteAddress)
      const connection = { socket, address, calls: new Map(), waited: 0, hasResponse: false }
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

// the order is that in which they make room
const nobody = (): Waiting => ({ fresh: new Set(), idle: new Set(), slow: new Set() })
