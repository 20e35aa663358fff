import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { jsonFault, parseJson } from '../core/disk/json.ts'
import {
  agreedRevision,
  batchRefusal,
  inRevision,
  REVISIONS,
  type Revision,
  requestedRevision,
} from './revisions.ts'

/** MCP on standard input and output: a message per line. */

/** A message over HTTP has at most 16 KiB. */
const LINE_MAX_BYTES = 1024 * 1024
/** Grace period for calls in progress once the input has ended. */
const END_GRACE_MS = 10_000
const NEWLINE = 10

export type LineTransport = Transport & {
  /** Resolves when the input has ended and is handled, or the grace period is over. */
  readonly ended: Promise<void>
}

/** Opens the lines of a client. The SDK's transport drops calls in progress when the input ends. */
export function openLines(
  input: Readable,
  output: Writable,
  graceMs: number = END_GRACE_MS,
): LineTransport {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let revision: Revision = REVISIONS[0]
  let hasEnded = false
  let isClosed = false
  const endIfIdle = () => {
    if (hasEnded && pending.isEmpty()) end()
  }
  const pending = openResponses(output, endIfIdle)
  const take = (value: unknown, batch: Batch | null) => {
    const message = readMessage(value)
    if (message === null) return pending.refuse(-32_600, NO_MESSAGE, batch)
    const isRequest = 'method' in message && 'id' in message
    if (isRequest && batch && message.method === 'initialize') {
      return pending.refuse(-32_600, 'initialize is in a list; send it alone.', batch)
    }
    // a client may send a list before it has the response: what it names is what is agreed on
    if (isRequest) revision = requestedRevision(message) ?? revision
    if (isRequest) pending.expect(message.id, batch)
    else if (batch) pending.settle(null, batch, null)
    transport.onmessage?.(message)
    // a cancelled call gets no reply
    pending.drop(cancelledBy(message))
  }
  const takeLine = (line: string) => {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = parseJson(line)
    } catch (error) {
      return pending.refuse(-32_700, `the line is ${jsonFault(error)}; ${GOOD}`)
    }
    if (!Array.isArray(value)) return take(value, null)
    const refusal = batchRefusal(value, revision)
    if (refusal !== null) return pending.refuse(-32_600, refusal)
    const batch: Batch = { left: value.length, pending: [] }
    for (const one of value) take(one, batch)
  }
  const lines = splitLines(takeLine, () => {
    pending.refuse(-32_600, `the line has over ${LINE_MAX_BYTES} bytes; ${GOOD}`)
  })
  const finish = () => {
    if (hasEnded) return
    lines.end()
    hasEnded = true
    endIfIdle()
    setTimeout(end, graceMs).unref()
  }
  const transport: LineTransport = {
    ended,
    start: async () => {
      input.on('data', lines.add).on('end', finish).on('close', finish).on('error', finish)
      output.on('error', () => end())
    },
    send: async message => {
      if (isClosed) throw new Error('the lines are closed')
      revision = agreedRevision(message) ?? revision
      await pending.send(message, revision)
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      input.destroy()
      end()
      transport.onclose?.()
    },
  }
  return transport
}

/** Replies to a list of messages, which are sent together. */
type Batch = { left: number; readonly pending: object[] }

/** Writes replies and tracks the pending ones; each one settled is reported. */
function openResponses(output: Writable, onSettled: () => void) {
  const pending = new Map<RequestId, Batch | null>()
  const write = (message: object): Promise<void> =>
    new Promise((written, failed) => {
      output.write(`${JSON.stringify(message)}\n`, error => (error ? failed(error) : written()))
    })
  const put = async (batch: Batch | null, message: object | null) => {
    if (!batch) return message === null ? undefined : write(message)
    if (message !== null) batch.pending.push(message)
    batch.left -= 1
    if (batch.left === 0 && batch.pending.length > 0) await write(batch.pending)
  }
  const settle = async (id: RequestId | null, batch: Batch | null, message: object | null) => {
    try {
      await put(batch, message)
    } finally {
      if (id !== null) pending.delete(id)
      onSettled()
    }
  }
  // a broken output ends the connection by its own error
  const settleQuietly: (...given: Parameters<typeof settle>) => void = (...given) => {
    settle(...given).catch(() => {})
  }
  return {
    isEmpty: () => pending.size === 0,
    expect: (id: RequestId, batch: Batch | null) => void pending.set(id, batch),
    settle: settleQuietly,
    /** Drops a pending reply. */
    drop: (id: RequestId | null) => {
      const batch = id === null ? undefined : pending.get(id)
      if (batch !== undefined) settleQuietly(id, batch, null)
    },
    send: (message: JSONRPCMessage, revision: Revision): Promise<void> => {
      const id = 'method' in message ? null : (message.id ?? null)
      const batch = id === null ? null : (pending.get(id) ?? null)
      return settle(id, batch, inRevision(message, revision))
    },
    refuse: (code: number, message: string, batch: Batch | null = null) => {
      settleQuietly(null, batch, { jsonrpc: '2.0', error: { code, message }, id: null })
    },
  }
}

const GOOD = 'send one JSON-RPC message a line, such as tools/list.'
const NO_MESSAGE = `the line is no JSON-RPC message; ${GOOD}`

function readMessage(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value)
  } catch {
    return null
  }
}

/** Id of the call that a message cancels, if it does. */
function cancelledBy(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null
  const id = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** Splits bytes into lines; one that is too long is dropped, and reported once. */
function splitLines(take: (line: string) => void, tooLong: () => void) {
  let parts: Buffer[] = []
  let size = 0
  let isTooLong = false
  const addPart = (part: Buffer) => {
    if (isTooLong) return
    size += part.length
    isTooLong = size > LINE_MAX_BYTES
    if (isTooLong) tooLong()
    if (isTooLong) parts = []
    else parts.push(part)
  }
  const endLine = () => {
    const line = Buffer.concat(parts).toString('utf8')
    const isWhole = !isTooLong
    parts = []
    size = 0
    isTooLong = false
    if (isWhole) take(line)
  }
  return {
    add: (chunk: Buffer) => {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        addPart(chunk.subarray(from, at))
        endLine()
        from = at + 1
      }
      addPart(chunk.subarray(from))
    },
    /** The last line, which needs no line end. */
    end: endLine,
  }
}
