/** Requests to one source over HTTP: its own host only, with its key, and reasons in its words. */

import { type Dispatcher, errors, Pool, ProxyAgent } from 'undici'
import { monotonicMs } from '../../src/core/clock.ts'
import type { SourceSettings } from './settings.ts'
import { type DataSource, FetchProblem, type PartRequest } from './source.ts'

/** Head and body of a success; reading the body to its end, or leaving it, frees the connection. */
export type SourceResponse = {
  readonly status: number
  readonly header: (name: string) => string | null
  /** Fails with a FetchProblem where the source stops, breaks off or sends too slowly. */
  readonly body: AsyncIterable<Buffer>
}

export type SourceClient = {
  /** Sends a request. Fails with a FetchProblem unless it succeeds (2xx) or nothing changed (304). */
  readonly send: (
    request: PartRequest,
    headers?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ) => Promise<SourceResponse>
  /** Sends a request whose response is small; returns its text. Fails with a FetchProblem. */
  readonly call: (request: PartRequest) => Promise<string>
  /** Returns a text without keys, which a response may repeat. */
  readonly redact: (text: string) => string
  readonly close: () => Promise<void>
}

/** Time between two pieces of a body, in ms; its speed is measured over the same time. */
const BODY_TIMEOUT_MS = 60_000
/** Slowest body, in bytes a second: a modem of 1990 is faster. */
const SPEED_MIN = 1000
const CONNECT_TIMEOUT_MS = 15_000
const REDIRECTS_MAX = 3
/** Longest wait that is repeated as it was sent: 30 years. */
const RETRY_AFTER_S_MAX = 1e9
/** Part of a failed response that is read for its reason. */
const REASON_BYTES_MAX = 4096
/** Size of a small response. */
const SMALL_BYTES_MAX = 32 * 2 ** 20

export type ClientDeps = {
  readonly source: DataSource
  readonly settings: SourceSettings
  readonly nowMs: () => number
  /** Time between two pieces of a body, and over which its speed is measured, in ms. */
  readonly bodyTimeoutMs?: number
}

/** Opens a client of one source; its connections end with `close`. */
export function openClient(deps: ClientDeps): SourceClient {
  const { source, settings, nowMs, bodyTimeoutMs = BODY_TIMEOUT_MS } = deps
  const { origin, keys } = settings
  const pool = openDispatcher(settings, {
    connections: source.concurrent,
    headersTimeout: source.headTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
  })
  const redact = (text: string) =>
    Object.values(keys).reduce((shown, key) => shown.replaceAll(key, '…'), text)
  const sendOnce = async (
    url: URL,
    { method, fields }: PartRequest,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ) => {
    const keyHeaders = await source.authorize({ method, url }, keys, nowMs())
    const form = method === 'POST' ? new URLSearchParams(fields).toString() : null
    return pool.request({
      origin: origin.origin,
      method,
      path: url.pathname + url.search,
      signal: signal ?? null,
      body: form,
      headers: {
        'user-agent': 'Tapefold',
        ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
        ...keyHeaders,
      },
    })
  }
  const follow = async (
    request: PartRequest,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ) => {
    let url = requestUrl(origin, request)
    for (let redirects = 0; ; redirects++) {
      source.withKey?.(url, keys)
      const response = await sendOnce(url, request, headers, signal)
      const { location } = response.headers
      const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode)
      if (!isRedirect || typeof location !== 'string') return response
      await response.body.dump()
      const next = URL.canParse(location, url.href) ? new URL(location, url) : null
      if (next?.origin !== origin.origin) {
        throw new FetchProblem(
          'wrong_content',
          `${source.name} sends this request on to ${next?.host ?? 'another address'}; only ` +
            `${origin.host} is asked, so nothing was fetched.`,
        )
      }
      if (redirects === REDIRECTS_MAX)
        throw new FetchProblem('wrong_content', `${source.name} redirects in a circle.`)
      url = next
    }
  }
  const send: SourceClient['send'] = async (request, headers = {}, signal) => {
    let response: Dispatcher.ResponseData
    try {
      response = await follow(request, headers, signal)
    } catch (error) {
      throw toHeadProblem(error, source, settings)
    }
    const header = (name: string) => {
      const value = response.headers[name]
      return (Array.isArray(value) ? value[0] : value) ?? null
    }
    const { statusCode: status } = response
    const body = readPaced(response.body, bodyTimeoutMs, source, settings)
    if ((status >= 200 && status < 300) || status === 304) return { status, header, body }
    const text = await readStart(body).catch(() => '')
    const problem = source.explain({ status, header, text })
    throw new FetchProblem(
      problem.kind,
      redact(problem.kind === 'wrong_key' ? adviseKey(problem.message, source) : problem.message),
      problem.retryAfterMs ?? readRetryAfter(header('retry-after'), nowMs()),
    )
  }
  return {
    send,
    call: async request => {
      const { body } = await send(request)
      return redact(await readText(body, source))
    },
    redact,
    close: () => pool.close(),
  }
}

/** Connections to the address of a source, through its proxy where there is one. */
function openDispatcher({ origin, proxy }: SourceSettings, timeouts: Pool.Options): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT_MS }
  if (proxy === null) return new Pool(origin.origin, { ...timeouts, connect })
  return new ProxyAgent({
    ...timeouts,
    uri: proxy.url.href,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // a proxy that never responds would hold a request for five minutes
    clientFactory: (url, options) =>
      new Pool(url, { ...options, headersTimeout: CONNECT_TIMEOUT_MS }),
  })
}

/** Yields a body as it comes. Fails with its problem, also where it comes too slowly. */
async function* readPaced(
  body: Dispatcher.ResponseData['body'],
  windowMs: number,
  source: DataSource,
  settings: SourceSettings,
): AsyncGenerator<Buffer> {
  let waitedMs = 0
  let size = 0
  let requestedAtMs = monotonicMs()
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      waitedMs += monotonicMs() - requestedAtMs
      size += chunk.length
      if (waitedMs >= windowMs) {
        if (size < (SPEED_MIN * waitedMs) / 1000) {
          const why = `sends less than ${SPEED_MIN} bytes a second`
          throw new FetchProblem('unavailable', `${source.name} ${why}.`)
        }
        waitedMs = 0
        size = 0
      }
      yield chunk
      // the time in which a piece is checked and written is not the source's
      requestedAtMs = monotonicMs()
    }
  } catch (error) {
    throw toProblem(error, source, settings)
  }
}

/** Adds where a key is set to the reason why it is refused. */
const adviseKey = (sentence: string, { keys }: DataSource): string =>
  keys.length === 0
    ? sentence
    : `${sentence.replace(/\.$/, '')}: check ${keys.map(({ variable }) => variable).join(' and ')}.`

/** The address of a request without its key. */
function requestUrl(origin: URL, { method, path, fields }: PartRequest): URL {
  const url = new URL(path, origin)
  if (method !== 'POST')
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url
}

async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // breaking off ends the connection
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= REASON_BYTES_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, REASON_BYTES_MAX).toString('utf8')
}

async function readText(body: AsyncIterable<Uint8Array>, { name }: DataSource): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > SMALL_BYTES_MAX)
      throw new FetchProblem('wrong_content', `${name} sends more than 32 MB where a list is due.`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Milliseconds of a `Retry-After`: seconds, or a date (RFC 9110, 10.2.3); null where it is none. */
function readRetryAfter(text: string | null, nowMs: number): number | null {
  if (text === null) return null
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_S_MAX) * 1000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

const UNVERIFIED = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/
/** Codes of a response that is no TLS. */
const NO_TLS = /^(ERR_SSL_|EPROTO$)/
const NO_NAME = ['ENOTFOUND', 'EAI_AGAIN']
const UNREACHED = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']

/** Returns why a proxy does not connect, in words after "it"; null where it is not its fault. */
function describeProxyFault(error: NodeJS.ErrnoException): string | null {
  const { code = '', message } = error
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1]
  if (status !== undefined) return `refuses (${status})`
  if (code === 'ECONNREFUSED') return 'does not listen'
  if (NO_NAME.includes(code)) return 'has a name that is not found'
  if (error instanceof errors.ProxyConnectionError) return 'closes the connection'
  return /Timeout/.test(error.name) || UNREACHED.includes(code) ? 'does not respond' : null
}

/** Returns an error before the head of a response as a problem; an abort stays as it is. */
function toHeadProblem(error: unknown, source: DataSource, settings: SourceSettings): unknown {
  if (error instanceof FetchProblem) return error
  const { origin, proxy } = settings
  const { code = '' } = error as NodeJS.ErrnoException
  const via = proxy ? ` through the proxy ${proxy.url.host} of ${proxy.variable}` : ''
  const fault = proxy && describeProxyFault(error as NodeJS.ErrnoException)
  if (fault !== null)
    return new FetchProblem('not_started', `${source.name} cannot be reached${via}: it ${fault}.`)
  const protocol = error instanceof errors.HTTPParserError ? 'HTTP' : 'TLS'
  if (protocol === 'TLS' && !NO_TLS.test(code)) return toProblem(error, source, settings)
  const why = `does not speak ${protocol} at ${origin.host}${via}: another program may listen there`
  return new FetchProblem('wrong_content', `${source.name} ${why}.`)
}

/** Returns an error of the connection as a problem; a FetchProblem, or an abort, stays as it is. */
function toProblem(error: unknown, source: DataSource, { origin }: SourceSettings): unknown {
  const { code = '', name } = error as NodeJS.ErrnoException
  if (error instanceof FetchProblem || name === 'AbortError') return error
  const say = (kind: 'unavailable' | 'wrong_content', why: string) =>
    new FetchProblem(kind, `${source.name} ${why}.`)
  if (UNVERIFIED.test(code))
    return say('wrong_content', `cannot be trusted: the certificate of ${origin.host} is not valid`)
  if (code === 'ECONNREFUSED') {
    const why = source.whenNotStarted
    if (why === undefined) return say('unavailable', `does not listen at ${origin.host}`)
    return new FetchProblem('not_started', `${source.name}${why} (${origin.host}).`)
  }
  if (NO_NAME.includes(code))
    return say('unavailable', `cannot be reached: the name ${origin.hostname} is not found`)
  if (error instanceof errors.HeadersTimeoutError)
    return say('unavailable', 'did not respond in time')
  if (error instanceof errors.BodyTimeoutError) return say('unavailable', 'stopped sending')
  if (error instanceof errors.ConnectTimeoutError || UNREACHED.includes(code))
    return say('unavailable', `cannot be reached at ${origin.host}`)
  const isBroken = code !== '' || error instanceof errors.HTTPParserError
  return isBroken ? say('unavailable', 'broke off its response') : error
}
