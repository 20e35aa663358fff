import type { Request, RequestHandler, Response } from 'express'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { findGaps, type Gap, gapText } from '../data/published/freshness.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import { type EventStreams, refuseStreams } from '../platform/http/eventStream.ts'
import { CACHE_NEWEST, sendJson, writeCaching } from '../platform/http/json.ts'
import { readQuery } from '../platform/http/query.ts'
import { reading, requestContext, routePaths } from '../platform/http/request.ts'
import {
  acceptedEncoding,
  acceptedType,
  COMPRESS_MIN_BYTES,
  JSON_TYPE,
  sendRepresentation,
} from '../platform/http/response.ts'
import { FORM_OF_TYPE, TABLE_TYPES, type TableType } from '../platform/http/tableForms.ts'
import { respondAsRequester } from '../platform/pool/respondInTurn.ts'
import {
  findDayLedger,
  findLatestLedger,
  listSessions,
  type OrdersQueryDeps,
  type WantedLedger,
} from './ask.ts'
import type { EarlierLedgers } from './earlier.ts'
import { renderForm } from './render.ts'
import { openLedgerEvents } from './stream.ts'
import { emptyLedger, tapeNote } from './wire.ts'

export type OrdersDeps = OrdersQueryDeps & {
  readonly earlier: EarlierLedgers
  readonly streams: EventStreams
}

/** Past sessions change only by a correction; the newest one may change at any minute. */
const CACHE_PAST = 'private, max-age=60'

/** The Orders API, mounted under `/orders/api` for a key of scope `orders`. */
export function ordersRouter(deps: OrdersDeps): RequestHandler {
  return routePaths({
    '/day': reading(readDay(deps)),
    '/latest': reading(readLatest(deps)),
    '/sessions': reading(readSessions(deps)),
    '/stream': reading(beginStream(deps)),
  })
}

function readDay(deps: OrdersDeps): RequestHandler {
  return (req, res) => {
    const { day, asof } = readQuery(req, res, ['day', 'asof'])
    return sendWanted(req, res, deps, findDayLedger(deps, day, asof))
  }
}

function readLatest(deps: OrdersDeps): RequestHandler {
  return (req, res) => {
    readQuery(req, res, [])
    return sendWanted(req, res, deps, findLatestLedger(deps))
  }
}

function readSessions({ catalog }: OrdersDeps): RequestHandler {
  return (req, res) => {
    readQuery(req, res, [])
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(listSessions(catalog)))
  }
}

function beginStream(deps: OrdersDeps): RequestHandler {
  const read = openLedgerEvents(deps)
  return (req, res) => {
    readQuery(req, res, [])
    const { keyId, isAdmitted } = requestContext(res)
    const owner = keyId!
    refuseStreams(deps.streams, owner)
    deps.streams.serve({ req, res, owner, kind: 'ledger', read, isAdmitted: isAdmitted! })
  }
}

async function sendWanted(
  req: Request,
  res: Response,
  deps: OrdersDeps,
  { day, found, asofMs, note }: WantedLedger,
): Promise<void> {
  if (!found) return sendEmptyLedger(req, res, day, note!)
  if (asofMs !== null) return sendKnown(req, res, deps, found, asofMs)
  return sendLedger(req, res, deps, found)
}

async function sendLedger(
  req: Request,
  res: Response,
  deps: OrdersDeps,
  found: Found,
): Promise<void> {
  const { manifest, isNewest } = found
  const type = acceptedType(req, TABLE_TYPES)
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
    writeTableHeaders(res, { grade, note, gaps: findGaps(manifest.minutes.missing) })
  }
  const contentType = tableContentType(type)
  const encoded = encoding ? { encoding } : {}
  sendRepresentation(req, res, { bytes, etag, contentType, ...encoded })
}

/** A ledger as known at a minute that has passed. */
async function sendKnown(
  req: Request,
  res: Response,
  { earlier, catalog }: OrdersDeps,
  { manifest, isNewest }: Found,
  asofMs: number,
): Promise<void> {
  const type = acceptedType(req, TABLE_TYPES)
  const isJson = type === 'application/json'
  const encoding = isJson ? acceptedEncoding(req.headers['accept-encoding'], ['gzip']) : null
  const form = encoding ?? FORM_OF_TYPE[type]
  const wanted = { manifest, knownBeforeMs: asofMs, form } as const
  await respondAsRequester(res, async requester => {
    const ledger = await orDamaged(catalog, () => earlier.read(wanted, requester))
    const { data: bytes, etag } = ledger
    writeCaching(res, isNewest ? CACHE_NEWEST : CACHE_PAST)
    if (manifest.simulated) res.setHeader('x-simulated', 'true')
    if (!isJson) writeTableHeaders(res, ledger)
    const encoded = encoding ? { encoding } : {}
    sendRepresentation(req, res, { bytes, etag, contentType: tableContentType(type), ...encoded })
  })
}

type TableHeaders = {
  readonly grade?: string | undefined
  readonly note: string | undefined
  readonly gaps: readonly Gap[]
}

/** Sends in headers what a table has no envelope for. */
function writeTableHeaders(res: Response, { grade, note, gaps }: TableHeaders): void {
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

function tableContentType(type: TableType): string {
  if (type === 'application/json') return JSON_TYPE
  return type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : type
}

/** A day without a ledger: no orders, and a note with the reason (in a header for tables). */
function sendEmptyLedger(req: Request, res: Response, day: string, note: string): void {
  const type = acceptedType(req, TABLE_TYPES)
  const ledger = emptyLedger(day, note)
  if (type === 'application/json') {
    sendJson(req, res, JSON.stringify(ledger))
    return
  }
  writeCaching(res, CACHE_NEWEST)
  res.setHeader('x-note', note)
  const { data, etag } = renderForm(ledger, FORM_OF_TYPE[type])
  sendRepresentation(req, res, { bytes: data, etag, contentType: tableContentType(type) })
}
