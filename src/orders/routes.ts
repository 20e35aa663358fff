import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { z } from 'zod'
import { answerAsked } from '../fair/asking.ts'
import { acceptedEncoding, acceptedType, JSON_TYPE, sendRepresentation } from '../http/answer.ts'
import { damagedDay, orDamaged } from '../http/damaged.ts'
import { ApiError } from '../http/error.ts'
import { CACHE_NEWEST, COMPRESS_MIN_BYTES, sendJson, writeCaching } from '../http/json.ts'
import { readQuery } from '../http/query.ts'
import { reading, refuseRoute, shown } from '../http/request.ts'
import { instantMs, isDate, neighbourSession, sessionOf, wallTimeEt } from '../market/calendar.ts'
import type { Catalog, Found } from '../published/catalog.ts'
import { type Gap, gapsOf, gapText } from '../published/freshness.ts'
import type { PublishedManifest } from '../published/manifest.ts'
import type { EarlierLedgers } from './earlier.ts'
import { type LedgerForm, renderForm } from './render.ts'
import type { Sessions } from './schema.ts'
import { emptyLedger, tapeNote } from './wire.ts'

export type OrdersDeps = {
  readonly catalog: Catalog
  readonly earlier: EarlierLedgers
  readonly nowMs: () => number
}

/** Content types of a ledger, the first one being the default. */
export const LEDGER_TYPES = [
  'application/json',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
] as const

const FORM_OF_TYPE = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/vnd.apache.parquet': 'parquet',
  'application/vnd.apache.arrow.stream': 'arrow',
} as const satisfies Readonly<Record<(typeof LEDGER_TYPES)[number], LedgerForm>>

/** Past sessions change only by a correction; the newest one may change at any minute. */
const CACHE_PAST = 'private, max-age=60'

/** The Orders API, to be mounted under `/orders/api` behind a key of scope `orders`. */
export function ordersRouter(deps: OrdersDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/day', reading(readDay(deps)))
  router.all('/latest', reading(readLatest(deps)))
  router.all('/sessions', reading(readSessions(deps)))
  router.use(refuseRoute)
  return router
}

function readDay(deps: OrdersDeps): RequestHandler {
  const { catalog, nowMs } = deps
  return async (req, res) => {
    const query = readQuery(req, res, ['day', 'asof'])
    const day = parseDay(query.day)
    const asofMs = parseAsof(query.asof, day)
    const found = catalog.find(day)
    if (found && asofMs !== null) {
      refuseToCome(found, asofMs)
      return sendKnown(req, res, deps, found, asofMs)
    }
    if (found) return sendLedger(req, res, deps, found)
    if (catalog.unreadable().includes(day)) throw damagedDay(day)
    sendEmptyLedger(req, res, day, noteOf(day, nowMs()))
  }
}

function readLatest(deps: OrdersDeps): RequestHandler {
  const { catalog, nowMs } = deps
  return async (req, res) => {
    readQuery(req, res, [])
    const newest = catalog.newest()
    // an older session would be an answer that goes back in time
    const hidden = catalog.unreadable().at(-1)
    if (hidden !== undefined && hidden > (newest?.manifest.session_date ?? ''))
      throw damagedDay(hidden)
    if (newest) return sendLedger(req, res, deps, newest)
    const day = begunSession(nowMs())
    sendEmptyLedger(req, res, day, noteOf(day, nowMs()))
  }
}

function readSessions({ catalog }: OrdersDeps): RequestHandler {
  return (req, res) => {
    readQuery(req, res, [])
    acceptedType(req, ['application/json'])
    const sessions = [...catalog.sessions()]
    const body: z.infer<typeof Sessions> = {
      sessions,
      first: sessions[0] ?? null,
      last: sessions.at(-1) ?? null,
    }
    sendJson(req, res, JSON.stringify(body))
  }
}

async function sendLedger(
  req: Request,
  res: Response,
  deps: OrdersDeps,
  found: Found,
): Promise<void> {
  const { manifest, isNewest, knownBeforeMs } = found
  if (knownBeforeMs !== undefined) return sendKnown(req, res, deps, found, knownBeforeMs)
  const type = acceptedType(req, LEDGER_TYPES)
  const encoding = type === 'application/json' ? ledgerEncoding(req, manifest) : null
  const encodedForm = encoding === 'br' ? 'brotli' : encoding
  const { bytes, etag } = await readLedger(
    deps.catalog,
    manifest,
    encodedForm ?? FORM_OF_TYPE[type],
  )
  writeCaching(res, isNewest ? CACHE_NEWEST : CACHE_PAST)
  if (manifest.simulated) res.setHeader('x-simulated', 'true')
  if (type !== 'application/json') {
    const grade = manifest.tape_grade?.grade
    const note = tapeNote(manifest.session_date, grade, manifest.tape.set_apart) ?? undefined
    writeBesideTable(res, { grade, note, gaps: gapsOf(manifest.minutes.missing) })
  }
  const contentType = contentTypeOf(type)
  const encoded = encoding ? { encoding } : {}
  sendRepresentation(req, res, { bytes, etag, contentType, ...encoded })
}

/** A minute of a running session has no ledger before it has come: the answer would change. */
function refuseToCome({ manifest, knownBeforeMs }: Found, asofMs: number): void {
  if (knownBeforeMs === undefined || asofMs <= knownBeforeMs) return
  const [asof, latest] = [asofMs, knownBeforeMs].map(atMs => wallTimeEt(atMs).minute)
  throw new ApiError('bad_time', {
    message: `asof is ${asof}; the latest minute of ${manifest.session_date} is ${latest}.`,
  })
}

/** A ledger as it was known at a minute that has come. */
async function sendKnown(
  req: Request,
  res: Response,
  { earlier, catalog }: OrdersDeps,
  { manifest, isNewest }: Found,
  asofMs: number,
): Promise<void> {
  const type = acceptedType(req, LEDGER_TYPES)
  const isJson = type === 'application/json'
  const encoding = isJson ? acceptedEncoding(req.headers['accept-encoding'], ['gzip']) : null
  const form = encoding ?? FORM_OF_TYPE[type]
  const wanted = { manifest, knownBeforeMs: asofMs, form } as const
  await answerAsked(res, async asker => {
    const ledger = await orDamaged(catalog, () => earlier.read(wanted, asker))
    const { data: bytes, etag } = ledger
    writeCaching(res, isNewest ? CACHE_NEWEST : CACHE_PAST)
    if (manifest.simulated) res.setHeader('x-simulated', 'true')
    if (!isJson) writeBesideTable(res, ledger)
    const encoded = encoding ? { encoding } : {}
    sendRepresentation(req, res, { bytes, etag, contentType: contentTypeOf(type), ...encoded })
  })
}

type BesideTable = {
  readonly grade?: string | undefined
  readonly note: string | undefined
  readonly gaps: readonly Gap[]
}

/** Says in headers what a table has no envelope for. */
function writeBesideTable(res: Response, { grade, note, gaps }: BesideTable): void {
  if (grade !== undefined) res.setHeader('x-tape-grade', grade)
  if (gaps.length > 0) res.setHeader('x-tape-gaps', gaps.map(gapText).join(', '))
  if (note !== undefined) res.setHeader('x-note', note)
}

const readLedger = (catalog: Catalog, manifest: PublishedManifest, form: string) =>
  orDamaged(catalog, () => catalog.readLedger(manifest, form))

function ledgerEncoding(req: Request, manifest: PublishedManifest): 'br' | 'gzip' | null {
  if ((manifest.ledger.json?.bytes ?? 0) < COMPRESS_MIN_BYTES) return null
  return acceptedEncoding(req.headers['accept-encoding'], ['br', 'gzip'])
}

function contentTypeOf(type: (typeof LEDGER_TYPES)[number]): string {
  if (type === 'application/json') return JSON_TYPE
  return type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : type
}

/** A day without a ledger: no orders, and a note that says why (in a header for tables). */
function sendEmptyLedger(req: Request, res: Response, day: string, note: string): void {
  const type = acceptedType(req, LEDGER_TYPES)
  const ledger = emptyLedger(day, note)
  if (type === 'application/json') {
    sendJson(req, res, JSON.stringify(ledger))
    return
  }
  writeCaching(res, CACHE_NEWEST)
  res.setHeader('x-note', note)
  const { data, etag } = renderForm(ledger, FORM_OF_TYPE[type])
  sendRepresentation(req, res, { bytes: data, etag, contentType: contentTypeOf(type) })
}

function parseDay(values: readonly string[]): string {
  const example = 'such as day=2026-10-14'
  if (values.length === 0) {
    throw new ApiError('bad_day', { message: `day is missing; give a date, ${example}.` })
  }
  if (values.length > 1) {
    throw new ApiError('bad_day', { message: `day is given ${values.length} times; give it once.` })
  }
  const [value] = values as [string]
  if (isDate(value)) return value
  throw new ApiError('bad_day', {
    message: `day is ${shown(value)}; give a date written YYYY-MM-DD, ${example}.`,
  })
}

/** The instant of `asof`, or null without one. */
function parseAsof(values: readonly string[], day: string): number | null {
  const example = 'such as asof=10:37'
  if (values.length === 0) return null
  if (values.length > 1) {
    const message = `asof is given ${values.length} times; give it once.`
    throw new ApiError('bad_time', { message })
  }
  const [value] = values as [string]
  const session = sessionOf(day)
  const atMs = /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? instantMs(day, value) : null
  if (session && atMs !== null && atMs >= session.opensAtMs && atMs <= session.closesAtMs) {
    return atMs
  }
  // a day without a session has no minute that could be wrong
  if (!session && atMs !== null) return atMs
  const last = session ? wallTimeEt(session.closesAtMs).minute : '16:15'
  throw new ApiError('bad_time', {
    message: `asof is ${shown(value)}; give an ET minute from 09:30 to ${last}, ${example}.`,
  })
}

function noteOf(day: string, nowMs: number): string {
  const session = sessionOf(day)
  if (!session) return `${day} is not a trading day: it has no ledger.`
  if (session.opensAtMs > nowMs) return `The session of ${day} has not begun: no ledger yet.`
  return `The ledger of ${day} has not run yet.`
}

/** The newest session that has begun. */
function begunSession(nowMs: number): string {
  const today = sessionOf(wallTimeEt(nowMs).date)
  if (today && today.opensAtMs <= nowMs) return today.date
  return neighbourSession(wallTimeEt(nowMs).date, -1).date
}
