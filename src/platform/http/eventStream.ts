/**
 * Server-Sent Events (HTML standard, section 9.2): streams of clients that read as fast as they
 * like. A client that does not read is closed and never waited for; it comes back with the id of
 * the last event it has, in `Last-Event-ID`, and is sent first what it missed.
 */

import { once } from 'node:events'
import type { Request, Response } from 'express'
import { ApiError } from './error.ts'
import { acceptedType } from './response.ts'

/** An event: `id` orders the events of a stream and is the same on every server. */
export type StreamEvent = { readonly id: string; readonly event: string; readonly data: string }

/** Returns the next events after an id, oldest first; null: of a client that has none yet. */
export type ReadEvents = (afterId: string | null) => Promise<readonly StreamEvent[]>

export type Streaming = {
  readonly req: Request
  readonly res: Response
  /** Owner of the stream: its key. */
  readonly owner: string
  /** Clients of one kind have the same events, which are read once for all of them. */
  readonly kind: string
  readonly read: ReadEvents
  /** True while the key would be admitted again. */
  readonly isAdmitted: () => Promise<boolean>
}

export type EventStreams = {
  /** Number of open streams of an owner. */
  readonly count: (owner: string) => number
  /** Begins a stream. */
  readonly serve: (streaming: Streaming) => void
  /** Reads the events of all streams: something may be new. */
  readonly notify: () => void
  /** Ends all streams: their clients come back to another server. */
  readonly close: () => void
}

const STREAMS_PER_KEY_MAX = 3
/** Missed states of the levels that are sent one by one: more than a session has; the newest of more. */
export const MISSED_LEVELS_MAX = 500
/** Delay after which a client comes back. */
const RETRY_MS = 2_000
/** Interval of the comments that keep a silent connection open, and at which keys are checked. */
export const HEARTBEAT_MS = 15_000
/** Time a client may leave an event unread before it is closed. */
const UNREAD_MAX_MS = 15_000
/** Age at which a stream ends: its client may come back to another server. */
const AGE_MAX_MS = 10 * 60_000
export const EVENT_STREAM_TYPE = 'text/event-stream'
/** The rules of every stream, for the interface description. */
export const STREAM_WORDS = `Server-Sent Events, an event a state, with the id \`DAYTHH:MM\`, which is the
same on every server. A client that comes back with \`Last-Event-ID\` is sent first what it missed: the
changes of orders as one event a session, levels of the newest ${MISSED_LEVELS_MAX} states at most, checks of the
newest state. One without begins with the newest state. A key has at most ${STREAMS_PER_KEY_MAX} streams of an interface on each
server process. A stream ends after ${AGE_MAX_MS / 60_000} minutes and is to be opened again; it ends within
${HEARTBEAT_MS / 1000} seconds of its key's revocation or its plan's end; one that is not read is closed.`
/** Unread bytes of a client, besides those in the buffers of the network, beyond which it is closed. */
const UNREAD_MAX_BYTES = 1024 * 1024
/** Longest event id a client may send. */
const ID_MAX_LENGTH = 64

type Client = Streaming & {
  readonly unreadMs: number
  readonly openedMs: number
  readonly hangUp: AbortController
  lastId: string | null
  isReading: boolean
  isDue: boolean
}

/** Says why a key may open no further stream; null when it may. */
export function describeStreamLimit({ count }: EventStreams, owner: string): string | null {
  const open = count(owner)
  if (open < STREAMS_PER_KEY_MAX) return null
  return `the key has ${open} streams open on this server process, as many as it may; close one.`
}

/** Fails with `rate` where a key has as many streams as it may. */
export function refuseStreams(streams: EventStreams, owner: string): void {
  const message = describeStreamLimit(streams, owner)
  if (message !== null) throw new ApiError('rate', { message, headers: { 'retry-after': '60' } })
}

/**
 * Opens the streams of an area; `elapsedMs` is real time, also in a replay, `unreadMs` how long a
 * client may leave an event unread.
 */
export function openEventStreams(
  elapsedMs: () => number,
  unreadMs: number = UNREAD_MAX_MS,
): EventStreams {
  const clients = new Set<Client>()
  const counts = new Map<string, number>()
  /** Reads by kind and last id, until something may be new. */
  const reads = new Map<string, Promise<readonly StreamEvent[]>>()
  const readOnce = ({ kind, lastId, read }: Client) => {
    const key = `${kind} ${lastId}`
    const known = reads.get(key)
    if (known) return known
    const events = read(lastId)
    reads.set(key, events)
    // the next client reads again
    events.catch(() => reads.delete(key))
    return events
  }
  const beat = setInterval(() => {
    reads.clear()
    for (const keyed of Map.groupBy(clients, ({ owner }) => owner).values()) void endRefused(keyed)
    for (const client of clients) {
      if (elapsedMs() - client.openedMs >= AGE_MAX_MS) client.res.end()
      else if (!dropUnread(client)) client.res.write(':\n\n')
    }
  }, HEARTBEAT_MS)
  beat.unref()

  const count = (owner: string) => counts.get(owner) ?? 0
  return {
    count,
    serve: streaming => {
      const { req, res, owner } = streaming
      acceptedType(req, [EVENT_STREAM_TYPE])
      res.setHeader('content-type', `${EVENT_STREAM_TYPE}; charset=utf-8`)
      res.setHeader('cache-control', 'no-store')
      // a proxy such as nginx would collect events before it sends them
      res.setHeader('x-accel-buffering', 'no')
      if (req.method === 'HEAD') {
        res.writeHead(200).end()
        return
      }
      const client: Client = {
        ...streaming,
        unreadMs,
        openedMs: elapsedMs(),
        hangUp: new AbortController(),
        lastId: readLastId(req),
        isReading: false,
        isDue: false,
      }
      clients.add(client)
      counts.set(owner, count(owner) + 1)
      res.on('close', () => {
        clients.delete(client)
        client.hangUp.abort()
        if (count(owner) > 1) counts.set(owner, count(owner) - 1)
        else counts.delete(owner)
      })
      res.writeHead(200)
      res.write(`retry: ${RETRY_MS}\n\n`)
      void pump(client, readOnce)
    },
    notify: () => {
      reads.clear()
      for (const client of clients) void pump(client, readOnce)
    },
    close: () => {
      clearInterval(beat)
      for (const { res } of clients) res.end()
    },
  }
}

/** Ends the streams of a key that is not admitted any more. */
async function endRefused(clients: readonly Client[]): Promise<void> {
  // where the store fails no stream ends: the key is checked again at the next heartbeat
  const isAdmitted = await clients[0]!.isAdmitted().catch(() => true)
  if (isAdmitted) return
  for (const { res } of clients) res.end()
}

/** Sends a client everything there is after its last event. */
async function pump(client: Client, read: (client: Client) => ReturnType<ReadEvents>) {
  client.isDue = true
  if (client.isReading) return
  client.isReading = true
  try {
    while (client.isDue && !dropUnread(client)) {
      client.isDue = false
      const events = await read(client)
      for (const event of events) await send(client, event)
      if (events.length > 0) client.isDue = true
    }
  } catch {
    // the same request fails with its reason; the client comes back for the rest
    client.res.end()
  } finally {
    client.isReading = false
  }
}

/** Writes an event, and waits for a client that catches up to read it. */
async function send(client: Client, { id, event, data }: StreamEvent): Promise<void> {
  const { res, hangUp, unreadMs } = client
  if (res.writableEnded || hangUp.signal.aborted) return
  const isTaken = res.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
  client.lastId = id
  if (isTaken) return
  const waits = AbortSignal.any([hangUp.signal, AbortSignal.timeout(unreadMs)])
  await once(res, 'drain', { signal: waits }).catch(() => res.destroy())
}

/** Closes a client with too much unread; true when it is closed. */
function dropUnread({ res }: Client): boolean {
  if (res.writableLength > UNREAD_MAX_BYTES) res.destroy()
  return res.destroyed || res.writableEnded
}

/** Returns the id of the last event that a client has; null: none. */
function readLastId(req: Request): string | null {
  const text = req.headers['last-event-id']
  return typeof text === 'string' && text !== '' ? text.slice(0, ID_MAX_LENGTH) : null
}
