/** Requests to one source over HTTP: its own host only, with its key, and reasons in its words. */

import { type Dispatcher, errors, Pool } from 'undici'
import type { SourceSettings } from './settings.ts'
import { type DataSource, FetchProblem, type PartRequest } from './source.ts'

/** Head and body of a success; draining or destroying the body frees the connection. */
export type SourceResponse = {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: Dispatcher.ResponseData['body']
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

/** Time between two pieces of a body, in ms. */
const BODY_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 15_000
const REDIRECTS_MAX = 3
/** Part of a failed response that is read for its reason. */
const REASON_BYTES_MAX = 4096
/** Size of a small response. */
const SMALL_BYTES_MAX = 32 * 2 ** 20

export type ClientDeps = {
  readonly source: DataSource
  readonly settings: SourceSettings
  readonly nowMs: () => number
  /** Time between two pieces of a body, in ms; a minute by default. */
  readonly bodyTimeoutMs?: number
}

/** Opens a client of one source; its connections end with `close`. */
export function openClient({ source, settings, nowMs, ...deps }: ClientDeps): SourceClient {
  const { origin, keys } = settings
  const pool = new Pool(origin.origin, {
    connections: source.concurrent,
    headersTimeout: source.headTimeoutMs,
    bodyTimeout: deps.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
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
      throw toProblem(error, source, origin)
    }
    const header = (name: string) => {
      const value = response.headers[name]
      return (Array.isArray(value) ? value[0] : value) ?? null
    }
    const { statusCode: status, body } = response
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
      try {
        return redact(await readText(body, source))
      } catch (error) {
        throw toProblem(error, source, origin)
      }
    },
    redact,
    close: () => pool.close(),
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
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

const UNVERIFIED = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/

/** Returns an error of the connection as a problem; a FetchProblem, or an abort, stays as it is. */
export function toProblem(error: unknown, source: DataSource, origin: URL): unknown {
  if (error instanceof FetchProblem) return error
  const { code = '', name } = error as NodeJS.ErrnoException
  if (name === 'AbortError') return error
  const say = (kind: 'unavailable' | 'wrong_content', why: string) =>
    new FetchProblem(kind, `${source.name} ${why}.`)
  if (UNVERIFIED.test(code))
    return say('wrong_content', `cannot be trusted: the certificate of ${origin.host} is not valid`)
  if (code === 'ECONNREFUSED') {
    const why = source.whenNotStarted
    if (why === undefined) return say('unavailable', `does not listen at ${origin.host}`)
    return new FetchProblem('not_started', `${source.name}${why} (${origin.host}).`)
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return say('unavailable', `cannot be reached: the name ${origin.hostname} is not found`)
  if (error instanceof errors.HeadersTimeoutError)
    return say('unavailable', 'did not respond in time')
  if (error instanceof errors.BodyTimeoutError) return say('unavailable', 'stopped sending')
  if (error instanceof errors.ConnectTimeoutError || code === 'ETIMEDOUT')
    return say('unavailable', `cannot be reached at ${origin.host}`)
  if (
    error instanceof errors.UndiciError ||
    ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)
  )
    return say('unavailable', 'broke off its response')
  if (/^(Z_|ZSTD_)/.test(code)) return say('unavailable', 'broke off its response')
  if (['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'].includes(code))
    return say('unavailable', `cannot be reached at ${origin.host}`)
  return error
}
