// HTTP on a loopback port for the test servers of the sources: records requests without secrets,
// injects faults and streams bodies of any size.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'

/** A request as a server recorded it; it holds no secret. */
export type SourceRequest = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly form: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds on the clock of `performance.now()`. */
  readonly atMs: number
  /** Status of the response; null where there was none. */
  status: number | null
  /** Bytes of the body that were sent. */
  bytes: number
  /** True when the response was sent to its end. */
  isWhole: boolean
}

/** A request as a server reads it, with its secrets. */
export type Call = {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Body = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Body
  /** Length of a streamed body in bytes; without it the body is sent in chunks. */
  readonly length?: number
}

/** Parts of a fault that change the rows that a server chooses. */
export type RowFault = Pick<Fault, 'instead' | 'columns'>

/** Requests that a source serves at once; those above wait, and those above the queue are refused. */
export type Limit = { readonly running: number; readonly queued: number; readonly refusal: Reply }

type Serving = {
  readonly handle: (call: Call, fault: RowFault) => Reply | Promise<Reply>
  readonly faults?: readonly Fault[] | undefined
  /** Names of query and form parameters that are secrets. */
  readonly secrets?: readonly string[]
  readonly limit?: Limit
}

/** A running test server. */
export type Source = {
  /** Address without a slash at its end, such as http://127.0.0.1:40123. */
  readonly url: string
  readonly requests: readonly SourceRequest[]
  /** Greatest number of requests that were in flight at once. */
  readonly maxInFlight: () => number
  readonly addFault: (fault: Fault) => void
  /** Ends all connections; fails when the server itself failed at a request. */
  readonly close: () => Promise<void>
}

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'x-amz-security-token']

/** Starts a server on a free loopback port. */
export async function startServing(serving: Serving): Promise<Source> {
  const requests: SourceRequest[] = []
  const faults = (serving.faults ?? []).map(fault => ({ fault, seen: 0 }))
  const gate = serving.limit ? openGate(serving.limit) : null
  const failures: unknown[] = []
  let inFlight = 0
  let maxInFlight = 0

  const respond = async (req: IncomingMessage, res: ServerResponse) => {
    maxInFlight = Math.max(maxInFlight, ++inFlight)
    res.on('close', () => inFlight--)
    const call = await readCall(req)
    const request = recordCall(call, serving.secrets ?? [])
    requests.push(request)
    res.on('finish', () => {
      request.isWhole = true
    })
    const fault = takeFault(faults, request)
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs)
    if (fault?.isDropped) return void req.socket.destroy()
    if (fault && (fault.status !== undefined || fault.body !== undefined)) {
      const { status = 200, body = '' } = fault
      return send(res, { request, reply: { status, body }, fault })
    }
    const leave = gate ? await gate.enter() : () => {}
    try {
      const reply = leave ? await serving.handle(call, fault ?? {}) : serving.limit!.refusal
      await send(res, { request, reply, fault })
    } finally {
      leave?.()
    }
  }

  const server = createServer((req, res) => {
    respond(req, res).catch(error => {
      // a client that leaves is no failure of the server
      if (!res.destroyed) failures.push(error)
      if (!res.headersSent) res.writeHead(500).end(String(error))
      else res.destroy()
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    maxInFlight: () => maxInFlight,
    addFault: fault => void faults.push({ fault, seen: 0 }),
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>(done => server.close(() => done()))
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** An address on which nothing listens: a terminal that is not started. */
export async function findClosedAddress(): Promise<string> {
  const source = await startServing({ handle: () => ({ status: 200 }) })
  await source.close()
  return source.url
}

async function readCall(req: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const target = req.url!
  const mark = target.indexOf('?')
  const isForm = /^application\/x-www-form-urlencoded/.test(req.headers['content-type'] ?? '')
  return {
    method: req.method!,
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    form: new URLSearchParams(isForm ? body.toString('utf8') : ''),
    headers: req.headers,
    body,
  }
}

function recordCall(call: Call, secrets: readonly string[]): SourceRequest {
  const publicOf = (values: URLSearchParams) =>
    Object.fromEntries([...values].filter(([name]) => !secrets.includes(name)))
  const headers = Object.entries(call.headers).filter(([name]) => !SECRET_HEADERS.includes(name))
  return {
    method: call.method,
    path: call.path,
    query: publicOf(call.query),
    form: publicOf(call.form),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    atMs: performance.now(),
    status: null,
    bytes: 0,
    isWhole: false,
  }
}

/** The first fault that applies to a request, counted as used. */
function takeFault(
  faults: readonly { readonly fault: Fault; seen: number }[],
  request: SourceRequest,
): Fault | null {
  for (const entry of faults) {
    const { match, after = 0, times = 1 } = entry.fault
    const line = `${request.method} ${request.path}?${new URLSearchParams(request.query)}`
    if (match instanceof RegExp ? !match.test(line) : match && !match(request)) continue
    entry.seen++
    if (entry.seen > after && entry.seen <= after + times) return entry.fault
  }
  return null
}

/** Admits requests one after the other; `enter` gives null where the queue is full. */
function openGate({ running, queued }: Limit) {
  let count = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else count--
  }
  return {
    enter: async (): Promise<(() => void) | null> => {
      if (count < running) count++
      else if (waiting.length >= queued) return null
      else await new Promise<void>(admitted => waiting.push(admitted))
      return leave
    },
  }
}

type Sending = {
  readonly request: SourceRequest
  readonly reply: Reply
  readonly fault: Fault | null
}

/** Parts a second in which a slow body is sent. */
const PARTS_PER_SECOND = 20

async function send(res: ServerResponse, { request, reply, fault }: Sending): Promise<void> {
  const { cutAfter, endAfter, stallAfter, bytesPerSecond, framing } = fault ?? {}
  const collected = framing === 'length' ? await collect(reply.body ?? '') : null
  const body = collected ?? reply.body ?? ''
  const known = lengthOf(body) ?? reply.length ?? null
  const length = endAfter !== undefined && known !== null ? Math.min(known, endAfter) : known
  const headers: Record<string, string> = { ...reply.headers, ...fault?.headers }
  if (length !== null && framing !== 'chunked') headers['content-length'] ??= String(length)
  if (reply.status === 304) delete headers['content-length']
  request.status = reply.status
  res.writeHead(reply.status, headers)
  res.flushHeaders()
  if (request.method === 'HEAD' || reply.status === 304) return void res.end()

  const limit = cutAfter ?? endAfter ?? stallAfter ?? Number.POSITIVE_INFINITY
  const part = bytesPerSecond ? Math.max(1, Math.floor(bytesPerSecond / PARTS_PER_SECOND)) : null
  if (limit > 0) {
    for await (const chunk of chunksOf(body)) {
      for (let from = 0; from < chunk.length && request.bytes < limit; ) {
        const size = Math.min(chunk.length - from, limit - request.bytes, part ?? chunk.length)
        if (!(await write(res, chunk.subarray(from, from + size)))) return
        from += size
        request.bytes += size
        if (part !== null) await sleep(1000 / PARTS_PER_SECOND)
      }
      if (request.bytes >= limit) break
    }
  }
  if (cutAfter !== undefined) res.socket?.destroy()
  else if (stallAfter !== undefined && request.bytes >= stallAfter)
    // a shorter body has ended before
    await new Promise<void>(left => res.on('close', left))
  else res.end()
}

/** Writes a chunk and waits until it has left the process; false when the client has left. */
function write(res: ServerResponse, chunk: Uint8Array): Promise<boolean> {
  if (res.destroyed) return Promise.resolve(false)
  return new Promise(done => {
    res.write(chunk, error => done(!error))
  })
}

const lengthOf = (body: Body): number | null =>
  typeof body === 'string'
    ? Buffer.byteLength(body)
    : body instanceof Uint8Array
      ? body.byteLength
      : null

/** The parts of a body in their order. */
async function* chunksOf(body: Body): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string') yield Buffer.from(body)
  else if (body instanceof Uint8Array) yield body
  else yield* body
}

/** The whole of a body, in memory. */
export async function collect(body: Body): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(body)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
