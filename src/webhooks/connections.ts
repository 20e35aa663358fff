import type { Readable } from 'node:stream'
import { Client } from 'undici'
import { type ConnectDeps, connectJudged } from './connect.ts'

/** One connection to a receiver, for one call at a time. */
export type ReceiverConnection = {
  readonly send: (call: {
    readonly url: URL
    readonly headers: Readonly<Record<string, string>>
    readonly body: Buffer
    readonly signal: AbortSignal
  }) => Promise<{ readonly status: number; readonly body: Readable }>
  /** The address at its other end, or that was dialled last; null where none was. */
  readonly address: () => string | null
}

/** Connections that wait for their next call. */
export type ReceiverConnections = {
  /** A connection that waits, or a new one, whose making ends with `signal`. */
  readonly take: (url: URL, signal: AbortSignal) => ReceiverConnection
  /** After a call; a connection that is not good for another one is closed. */
  readonly giveBack: (connection: ReceiverConnection, isGood: boolean) => void
  readonly close: () => Promise<void>
}

/** Retries come after 1 and 4 seconds, events every minute: who waits longer waits for nothing. */
const IDLE_MS = 2000
/** Connections that wait, over all receivers. */
const IDLE_MAX = 256
/** The head of an answer: what is beyond it is no webhook's. */
const HEAD_BYTES_MAX = 16 * 1024

type Held = ReceiverConnection & {
  readonly origin: string
  readonly client: Client
  /** Ends the making of a connection: that of the call which has it. */
  signal: AbortSignal
  isWaiting: boolean
  isConnected: boolean
}

/** Opens connections for calls; those that are given back wait two seconds for another call. */
export function openConnections(deps: ConnectDeps): ReceiverConnections {
  const idle = new Map<string, Held[]>()
  const all = new Set<Held>()
  let idleCount = 0
  const stopWaiting = (held: Held) => {
    if (!held.isWaiting) return
    held.isWaiting = false
    idleCount -= 1
    const rest = idle.get(held.origin)!.filter(other => other !== held)
    if (rest.length === 0) idle.delete(held.origin)
    else idle.set(held.origin, rest)
  }
  const drop = (held: Held) => {
    stopWaiting(held)
    all.delete(held)
    held.client.destroy().catch(() => {})
  }
  return {
    take: (url, signal) => {
      const held = idle.get(url.origin)?.at(-1)
      if (held) {
        stopWaiting(held)
        held.signal = signal
        return held
      }
      const opened = openConnection(url, deps, signal)
      opened.client.on('connect', () => {
        opened.isConnected = true
      })
      opened.client.on('disconnect', () => {
        opened.isConnected = false
        // one that a call has may be made once more, while nothing was sent
        if (opened.isWaiting) drop(opened)
      })
      all.add(opened)
      return opened
    },
    giveBack: (connection, isGood) => {
      const held = connection as Held
      if (!isGood || !held.isConnected || idleCount >= IDLE_MAX) return drop(held)
      held.isWaiting = true
      idleCount += 1
      idle.set(held.origin, [...(idle.get(held.origin) ?? []), held])
    },
    close: async () => {
      await Promise.all([...all].map(held => held.client.destroy().catch(() => {})))
    },
  }
}

function openConnection(url: URL, deps: ConnectDeps, signal: AbortSignal): Held {
  let address: string | null = null
  const onDial = (ip: string | null) => {
    address = ip
  }
  const client = new Client(url.origin, {
    connect: (_options, done) => {
      onDial(null)
      connectJudged(url, deps, { signal: held.signal, onDial }).then(
        socket => done(null, socket),
        error => done(error, null),
      )
    },
    ...{ allowH2: false, pipelining: 1, maxHeaderSize: HEAD_BYTES_MAX },
    ...{ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS },
    // a try has one limit for all, which its signal keeps
    ...{ headersTimeout: 0, bodyTimeout: 0 },
  })
  const held: Held = {
    ...{ origin: url.origin, client, signal, isWaiting: false, isConnected: false },
    address: () => address,
    send: async call => {
      const { statusCode, body } = await client.request({
        method: 'POST',
        path: call.url.pathname + call.url.search,
        headers: { ...call.headers, 'User-Agent': 'Tapefold-Webhook/1' },
        body: call.body,
        signal: call.signal,
      })
      return { status: statusCode, body }
    },
  }
  return held
}
