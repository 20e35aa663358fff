/**
 * Calls a Tapefold server. Null is never 0: a value that is not known is null, with its reason.
 * Every operation of the OpenAPI file is typed in `api`; the others add pages, retries and downloads.
 */

import createApi from 'openapi-fetch'
import { type DownloadedFile, downloadFile } from './download.ts'
import type { paths } from './schema.ts'
import {
  type Answer,
  createFetch,
  type Product,
  TapefoldError,
  type TransportOptions,
} from './transport.ts'

export { downloadFile } from './download.ts'
export type { components, paths } from './schema.ts'
export { type Product, TapefoldError } from './transport.ts'
export { createSeenIds, verifyWebhook } from './webhook.ts'

/** Body of a 200 as JSON. */
type Json<Path extends keyof paths, Method extends 'get' | 'post' = 'get'> = paths[Path] extends {
  [Key in Method]: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

export type Session = Json<'/api/days'>['days'][number]
export type Ledger = Json<'/orders/api/day'>
export type History = Json<'/api/v1/history'>
type TradesPage = { readonly total: number; readonly trades: readonly Trade[] }

/** A trade, or a chance that was none, with its reason in `missed`. */
export type Trade = Readonly<Record<string, unknown>>

export type FileEntry = { readonly file: string; readonly bytes: number; readonly sha256: string }

export type ClientOptions = TransportOptions & {
  /** Of the server, such as http://127.0.0.1:8080. */
  readonly url: string
  /** A key of each product that is called. */
  readonly keys?: Readonly<Partial<Record<Product, string>>>
}

const EVENTS_A_PAGE = 500
const TRADES_A_PAGE = 500
const JOB_PAUSE_MS = 250

/** A client of one server; each call, and an address that is none, fails with TapefoldError. */
export function createClient({ url, keys = {}, ...options }: ClientOptions) {
  const base = readAddress(url)
  const send = createFetch({ base, keys, ...options })
  /** Every operation of the OpenAPI file, with its types. */
  const api = createApi<paths>({ baseUrl: base, fetch: send })
  const change = () => ({ 'Idempotency-Key': crypto.randomUUID() })

  /** Finished sessions, oldest first; without a key. */
  const sessions = async () => take(await api.GET('/api/days')).days as Session[]

  /** The ledger of a session, or the newest one; `asof` as it was known at that minute. */
  const orders = async (day?: string, asof?: string): Promise<Ledger> => {
    if (day === undefined) return take(await api.GET('/orders/api/latest')) as Ledger
    const query = { day, ...(asof === undefined ? {} : { asof }) }
    return take(await api.GET('/orders/api/day', { params: { query } })) as Ledger
  }

  /**
   * Levels by minute of the finished sessions from `from` to `to`, YYYY-MM-DD, both included; those
   * without any are passed to `onMissing`. Fails where a day is no date, or `from` is after `to`.
   */
  async function* levels(
    from: string,
    to: string = from,
    { sym = 'SPX', book, onMissing = () => {} }: LevelOptions = {},
  ): AsyncGenerator<History> {
    const [first, last] = [readDay('from', from), readDay('to', to)]
    if (first > last) {
      const message = `from is ${first}, which is after to, ${last}; give the earlier day first.`
      throw new TapefoldError(message, { code: 'bad_day' })
    }
    for (const { day } of await sessions()) {
      if (day < first || day > last) continue
      const query = { sym, day, ...(book === undefined ? {} : { book }) }
      try {
        yield take(await api.GET('/api/v1/history', { params: { query } })) as History
      } catch (error) {
        if (!(error instanceof TapefoldError) || error.code !== 'no_data') throw error
        onMissing(day, error.message)
      }
    }
  }

  /** Dealer gamma of calls and puts by minute and strike; without a key. */
  const strikes = async (
    day: string,
    query: { book?: 'measured' | 'vol' | 'oi'; time?: string } = {},
  ) => take(await api.GET('/api/session/{day}/strikes', { params: { path: { day }, query } }))

  /** Every event of the alerts after a number, oldest first, over all pages. */
  async function* events(after = 0) {
    for (let [last, more] = [after, true]; more; ) {
      const query = { after: last, limit: EVENTS_A_PAGE }
      const page = take(await api.GET('/api/alerts/events', { params: { query } }))
      yield* page.events
      ;[last, more] = [page.last, page.more]
    }
  }

  /** Changes a position; made once, however often the call is repeated. */
  const changePosition = async (body: Body<'/api/positions'>) =>
    take(await api.POST('/api/positions', { body, params: { header: change() } }))

  /** A rule, a question, or why there is no rule. */
  const chat = async (message: string, id?: string) => {
    const body = { message, ...(id === undefined ? {} : { id }) }
    return take(await api.POST('/api/lab/chat', { body, params: { header: change() } }))
  }

  /** Tests an idea and waits for the result; fails with the code `failed` where the test did. */
  const run = async (id: string, kind: 'backtest' | 'quant' = 'backtest') => {
    const header = { ...change(), Prefer: 'respond-async' }
    const begun = take(await api.POST('/api/lab/run', { body: { id, kind }, params: { header } }))
    if ('result' in begun) return begun.result
    for (;;) {
      const query = { id: (begun as { job: { id: string } }).job.id }
      const found = take(await api.GET('/api/struct/job', { params: { query } }))
      if (found.result !== undefined) return found.result
      const { state, error } = found.job
      if (state === 'failed') throw new TapefoldError(String(error), { code: 'failed' })
      await new Promise(done => setTimeout(done, JOB_PAUSE_MS))
    }
  }

  /** Every trade behind a result, over all pages. */
  async function* trades(job: string) {
    for (let [start, total] = [0, 1]; start < total; start += TRADES_A_PAGE) {
      const query = { job, start, count: TRADES_A_PAGE }
      const page = take(await api.GET('/api/lab/trades', { params: { query } })) as TradesPage
      yield* page.trades
      total = page.total
    }
  }

  /** Dataset files of the finished sessions. */
  const files = async () =>
    (await readJson(await send(`${base}/snapshots/index.json`))).files as (FileEntry & {
      dataset: string
      day: string
      rows: number
    })[]

  /** Files of the simulated session that needs no key. */
  const sampleFiles = async () =>
    (await readJson(await send(`${base}/snapshots/sample/index.json`))).files as (FileEntry & {
      dataset: string
    })[]

  /** Downloads one file into a folder: goes on where it broke off, and is compared with its hash. */
  const download = (
    entry: FileEntry,
    folder: string,
    part: 'snapshots' | 'sample' = 'snapshots',
  ): Promise<DownloadedFile> => {
    const path = part === 'sample' ? 'snapshots/sample' : 'snapshots'
    return downloadFile({ send, address: `${base}/${path}/${entry.file}`, entry, folder })
  }

  return {
    api,
    sessions,
    orders,
    levels,
    strikes,
    events,
    changePosition,
    files,
    sampleFiles,
    download,
    lab: { chat, run, trades },
  }
}

export type LevelOptions = {
  readonly sym?: string
  readonly book?: 'vol' | 'oi'
  readonly onMissing?: (day: string, reason: string) => void
}

type Body<Path extends '/api/positions'> = paths[Path]['post'] extends {
  requestBody?: { content: { 'application/json': infer Sent } }
}
  ? Sent
  : never

/** The data of a response. Refusals were thrown before. */
function take<Data>({ data, response }: { data?: Data; response: Response }): Data {
  if (data === undefined)
    throw new TapefoldError('the answer is empty.', { status: response.status })
  return data
}

/** The address of a server, without a slash at its end. */
function readAddress(url: string): string {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (url.includes('@')) {
    const advice = "give the address alone, and the key as { key: 'ordk_...' }"
    throw new TapefoldError(`url has a login in it; ${advice}.`)
  }
  if (isHttp) return url.replace(/\/+$/, '')
  // a key or a password that stands there by mistake stays out of the message
  const shown = /_/.test(url) ? 'is no address' : `is ${JSON.stringify(url)}`
  const message = `url ${shown}; give the address of a server with http:// or https://, such as 'http://127.0.0.1:8080'.`
  throw new TapefoldError(message)
}

/** A day that is a date, written YYYY-MM-DD: only such days can be compared as text. */
function readDay(field: string, day: string): string {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN
  if (!Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day)) return day
  const message = `${field} is ${JSON.stringify(day)}; give a date written YYYY-MM-DD, such as ${field}: '2026-10-15'.`
  throw new TapefoldError(message, { code: 'bad_day' })
}

const readJson = async (response: Answer) => JSON.parse(await response.text())
