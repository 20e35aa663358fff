import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { sha256 } from '../core/disk/files.ts'
import {
  dayReader,
  findTradingSession,
  isDate,
  isMinute,
  type SessionDate,
} from '../core/market/calendar.ts'
import { toDecimals } from '../core/text/values.ts'
import { BOOKS, type Book } from '../data/published/books.ts'
import { type Catalog, describeAbsence, finishedBefore } from '../data/published/catalog.ts'
import { judgePublished } from '../data/published/condition.ts'
import {
  formatEtag,
  type PublishedManifest,
  type SessionSummary,
} from '../data/published/manifest.ts'
import { damagedDay, orDamaged } from '../platform/http/damaged.ts'
import { shown } from '../platform/http/request.ts'
import type { Encoding } from '../platform/http/response.ts'
import { openCache } from '../platform/pool/cache.ts'
import type { Grades, ListedSession } from './ask.ts'
import { datasetError } from './errors.ts'
import { gradeSessions } from './grades.ts'
import type { OlderSessions } from './older.ts'
import { isRenderable, type NoSummary } from './published.ts'
import { brotli, gammaForm, SESSION_FORM, strikesForm } from './render.ts'
import { type HalfHour, type StrikesWire, selectHalf, toHalfHour } from './wire.ts'

/** Cache of forms decompressed for clients without brotli. */
const UNPACKED_MAX_BYTES = 32 * 1024 * 1024
/** Cache of half hours of ladders: a session and book has 14 of them, about 120 KB. */
const PARTS_MAX_BYTES = 16 * 1024 * 1024
/** Seconds after which to request a day that was not published again. */
const NEXT_LOOK_S = 3_600

export type ArchiveDeps = {
  readonly catalog: Catalog
  readonly older: OlderSessions
  readonly nowMs: () => number
  /** How long after its close a session may be published. */
  readonly publishGraceMs: number
}

export type Days = {
  readonly days: readonly ListedSession[]
  readonly first: SessionDate | null
  readonly last: SessionDate | null
}

/** JSON bytes in the requested encoding, and their validator. */
export type ArchiveBytes = { readonly bytes: Uint8Array; readonly etag: string }

/** Finished sessions: those whose ET day is over and that are published whole. */
export type Archive = {
  /** Their manifests, oldest first; the same list while nothing changes. */
  readonly finished: () => readonly PublishedManifest[]
  readonly days: () => Promise<Days>
  /** Their grades, and those of all together. */
  readonly grades: () => Grades
  /** True when a day is today in New York. */
  readonly isToday: (day: string) => boolean
  /**
   * Finds the session of a day as written in a request. Fails with `bad_day`, `not_finished`,
   * `no_data` and, when its manifest cannot be read, `damaged`.
   */
  readonly find: (day: string) => PublishedManifest
  /**
   * Returns a session as JSON. Fails with `damaged` and, when too many older ones are requested
   * concurrently, `unavailable`.
   */
  readonly session: (of: PublishedManifest, encoding: Encoding | null) => Promise<ArchiveBytes>
  /** The curves of a book at every minute; fails as `session` does. */
  readonly gamma: (
    of: PublishedManifest,
    book: Book,
    encoding: Encoding | null,
  ) => Promise<ArchiveBytes>
  /** The ladders of a book at every minute, or at those of a half hour; fails as `session` does. */
  readonly strikes: (
    of: PublishedManifest,
    wanted: { readonly book: Book; readonly half: HalfHour | null },
    encoding: Encoding | null,
  ) => Promise<ArchiveBytes>
}

export function openArchive({ catalog, older, nowMs, publishGraceMs }: ArchiveDeps): Archive {
  const readDay = dayReader()
  const todayEt = () => readDay(nowMs())
  const finished = finishedBefore(catalog.finished, todayEt)
  const days = daysReader(older, finished, publishGraceMs)
  const readGrades = gradeReader()
  const unpacked = openCache<ArchiveBytes>(UNPACKED_MAX_BYTES)
  const parts = openCache<ArchiveBytes>(PARTS_MAX_BYTES)

  const readForm = async (manifest: PublishedManifest, form: string): Promise<ArchiveBytes> => {
    if (manifest.archive?.[form]) return catalog.readLedger(manifest, form)
    const { data, etag } = (await older.forms(manifest))[form]!
    return { bytes: data, etag }
  }
  const read = async (manifest: PublishedManifest, form: string, encoding: Encoding | null) => {
    const packed = await orDamaged(catalog, () => readForm(manifest, form))
    if (encoding === 'br') return packed
    const key = `${packed.etag} ${encoding}`
    const cached = unpacked.get(key)
    if (cached) return cached
    const made = await inEncoding(packed.bytes, encoding)
    unpacked.put(key, made, made.bytes.byteLength)
    return made
  }
  const readHalf = async (
    manifest: PublishedManifest,
    { book, half }: { readonly book: Book; readonly half: HalfHour },
    encoding: Encoding | null,
  ) => {
    const whole = await orDamaged(catalog, () => readForm(manifest, strikesForm(book)))
    const key = `${whole.etag} ${half} ${encoding}`
    const cached = parts.get(key)
    if (cached) return cached
    const { bytes } = await inEncoding(whole.bytes, null)
    const ladders = JSON.parse(Buffer.from(bytes).toString('utf8')) as StrikesWire
    const made = await inPacking(Buffer.from(JSON.stringify(selectHalf(ladders, half))), encoding)
    parts.put(key, made, made.bytes.byteLength)
    return made
  }
  return {
    finished,
    days,
    grades: () => readGrades(finished()),
    isToday: day => day === todayEt(),
    find: day => finishedDay(day, catalog, todayEt()),
    session: (manifest, encoding) => read(manifest, SESSION_FORM, encoding),
    gamma: (manifest, book, encoding) => read(manifest, gammaForm(book), encoding),
    strikes: (manifest, { book, half }, encoding) =>
      half === null
        ? read(manifest, strikesForm(book), encoding)
        : readHalf(manifest, { book, half }, encoding),
  }
}

/** Parses a book; fails with `bad_book`. */
export function parseBook(values: readonly string[]): Book {
  const example = 'measured, vol or oi, such as book=vol'
  if (values.length === 0) return 'measured'
  if (values.length > 1) {
    const message = `book is given ${values.length} times; give it once: ${example}.`
    throw datasetError('bad_book', { message })
  }
  const book = BOOKS.find(name => name === values[0])
  if (book) return book
  throw datasetError('bad_book', { message: `book is ${shown(values[0]!)}; give ${example}.` })
}

/** Returns the half hour of a minute, or null when none is given; fails with `bad_time`. */
export function parseHalfHour(values: readonly string[]): HalfHour | null {
  const [text] = values
  if (text === undefined) return null
  const example = 'a minute of New York, such as time=11:14'
  if (values.length > 1) {
    const message = `time is given ${values.length} times; give it once: ${example}.`
    throw datasetError('bad_time', { message })
  }
  if (isMinute(text)) return toHalfHour(text)
  throw datasetError('bad_time', { message: `time is ${shown(text)}; give ${example}.` })
}

/** Returns the manifest of a day that is over in New York, given `today` there. */
function finishedDay(day: string, catalog: Catalog, today: SessionDate): PublishedManifest {
  if (!isDate(day)) {
    const message = `the day is ${shown(day)}; give a date, such as 2026-10-14.`
    throw datasetError('bad_day', { message })
  }
  if (day >= today) {
    const which = day === today ? 'is today in New York' : 'is still to come'
    const message = `${day} ${which}; the archive has sessions before ${today}.`
    throw datasetError('not_finished', { message })
  }
  const found = catalog.find(day)
  if (found && found.knownBeforeMs === undefined) {
    if (found.manifest.archive || isRenderable(found.manifest)) return found.manifest
    throw noData(`the levels of ${day} were not kept: it has to be built again.`)
  }
  if (catalog.unreadable().includes(day)) throw damagedDay(day)
  if (!findTradingSession(day))
    throw noData(`${day} is not a trading day: there is no session of it.`, null)
  throw noData(`${describeAbsence(catalog, day)}.`)
}

const noData = (message: string, next: number | null = NEXT_LOOK_S) =>
  datasetError('no_data', { message, extras: { next_update_s: next } })

/** Caches the grades while the list of sessions is the same. */
function gradeReader() {
  let last: { readonly manifests: readonly PublishedManifest[]; readonly grades: Grades } | null =
    null
  return (manifests: readonly PublishedManifest[]): Grades => {
    if (last?.manifests !== manifests)
      last = { manifests, grades: gradeSessions(manifests.filter(isRenderable)) }
    return last.grades
  }
}

/**
 * Returns the days, made once for the calls that come together, and again when a session was
 * published. The summaries of older sessions are read once, unless their files are damaged.
 */
function daysReader(
  older: OlderSessions,
  finished: () => readonly PublishedManifest[],
  graceMs: number,
): () => Promise<Days> {
  const summaries = new WeakMap<PublishedManifest, SessionSummary | NoSummary>()
  let listed: { readonly manifests: readonly PublishedManifest[]; readonly days: Promise<Days> }
  const list = async (manifests: readonly PublishedManifest[]): Promise<Days> => {
    const lacking = manifests.filter(one => one.summary === undefined && !summaries.has(one))
    const read = lacking.length === 0 ? [] : await older.summaries(lacking)
    const now = new Map(lacking.map((manifest, index) => [manifest, read[index]!]))
    for (const [manifest, summary] of now) {
      if (!isDamaged(summary)) summaries.set(manifest, summary)
    }
    const days = manifests.map(manifest => {
      const summary = manifest.summary ?? summaries.get(manifest) ?? now.get(manifest)!
      return dayFacts(manifest, summary, graceMs)
    })
    if ([...now.values()].some(isDamaged)) forget(manifests)
    return { days, first: days[0]?.day ?? null, last: days.at(-1)?.day ?? null }
  }
  const forget = (manifests: readonly PublishedManifest[]) => {
    if (listed.manifests === manifests) listed = { manifests: [], days: listed.days }
  }
  return () => {
    const manifests = finished()
    if (listed?.manifests !== manifests) {
      listed = { manifests, days: list(manifests) }
      listed.days.catch(() => forget(manifests))
    }
    return listed.days
  }
}

const isDamaged = (summary: SessionSummary | NoSummary): boolean =>
  'reason' in summary && summary.reason === 'damaged'

function dayFacts(
  manifest: PublishedManifest,
  summary: SessionSummary | NoSummary,
  graceMs: number,
): ListedSession {
  const { session_date: day, revision, simulated, tape_grade } = manifest
  const grade = tape_grade?.grade ?? null
  const facts = { day, revision, grade, simulated, ...judgePublished(manifest, graceMs) }
  if ('reason' in summary) {
    const reason = (summary as NoSummary).reason
    return { ...facts, orders: null, open: null, close: null, flip_close: null, reason }
  }
  const { orders, open, close, flip_close } = summary
  const [opened, closed, flip] = [open, close, flip_close].map(inCents)
  return { ...facts, orders, open: opened!, close: closed!, flip_close: flip!, reason: null }
}

const inCents = (points: number | null): number | null =>
  points === null ? null : toDecimals(points, 2)

async function inEncoding(packed: Uint8Array, encoding: 'gzip' | null): Promise<ArchiveBytes> {
  return inPacking(await promisify(brotliDecompress)(packed), encoding)
}

async function inPacking(plain: Uint8Array, encoding: Encoding | null): Promise<ArchiveBytes> {
  const pack = { br: brotli, gzip: promisify<Uint8Array, Buffer>(gzip) }
  const bytes = encoding === null ? plain : await pack[encoding](plain)
  return { bytes, etag: formatEtag(sha256(bytes)) }
}
