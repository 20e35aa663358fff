import type { RequestHandler } from 'express'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { PRODUCTS } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { publishedFolder } from '../data/published/manifest.ts'
import { clientAddress } from '../platform/http/addresses.ts'
import { type AddressLimit, limitByAddress } from '../platform/http/addressLimit.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import { requestContext, useErrors } from '../platform/http/request.ts'
import { openCache } from '../platform/pool/cache.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import type { ArchiveAsk, SessionCurves, SessionLevels, WantedSession } from './ask.ts'
import { DATASET_ERRORS, datasetError } from './errors.ts'
import { type Archive, openArchive } from './finished.ts'
import { type OlderSessions, openOlder } from './older.ts'
import { archivePaths } from './openapi.ts'
import type { RunningSession } from './published.ts'
import { archiveRoutes } from './routes.ts'
import { SAMPLE_MINUTE_CALLS, SAMPLE_PATH, sampleFiles } from './sample.ts'
import { snapshotFiles } from './snapshotRoutes.ts'
import { openProof, openSnapshots } from './snapshots.ts'
import { selectHalf, toHalfHour } from './wire.ts'

/** Maximum calls without a key per address and minute. */
export const ADDRESS_MINUTE_CALLS = 60

type OwnAsks = { readonly archive: ArchiveAsk }

/** Finished sessions: as JSON for everybody, and as files for accounts with a DATASET plan. */
export const ARCHIVE_AREA: Area<RequestScheduler, AccountStore, unknown, OwnAsks> = {
  name: 'archive',
  product: 'dataset',
  // LAB keys open it too, until keys of its own are issued
  apiProduct: { name: 'dataset', errors: DATASET_ERRORS, otherScopes: ['lab'], limits: [] },
  tag: { name: 'Archive', description: 'Finished sessions: JSON without a key, files with one.' },
  paths: archivePaths,
  methods: {},
  tables: [],
  open: openArchiveArea,
}

function openArchiveArea(deps: AreaDeps<RequestScheduler>): OpenArea<OwnAsks> {
  const { dataFolder, catalog, nowMs, elapsedMs, sharesPrints, publishGraceMs } = deps
  const older = openOlder(dataFolder)
  const archive = openArchive({ catalog, older, nowMs, publishGraceMs })
  const snapshots = openSnapshots({
    dataFolder,
    finished: archive.finished,
    sharesPrints,
    publishGraceMs,
  })
  const folder = publishedFolder(dataFolder)
  const proof = openProof(folder)
  const files = snapshotFiles({
    snapshots,
    path: '/snapshots',
    folder,
    audience: 'private',
    prove: found => orDamaged(catalog, () => proof(found)),
  })
  return {
    publicRoutes: {
      ...archiveRoutes(
        archive,
        limited({ ...ofMinute(ADDRESS_MINUTE_CALLS), elapsedMs, readAddress: clientAddress }),
      ),
      [SAMPLE_PATH]: [
        useErrors(DATASET_ERRORS),
        limited({ ...ofMinute(SAMPLE_MINUTE_CALLS), elapsedMs, readAddress: clientAddress }),
        sampleFiles(dataFolder),
      ],
    },
    routes: {
      '/snapshots': [
        limited({
          ...ofMinute(PRODUCTS.dataset.limits.minuteCallsPerKey),
          elapsedMs,
          readAddress: req => requestContext(req.res!).keyId!,
          refusal: 'too many calls of dataset files came with this key',
        }),
        files,
      ],
    },
    account: { firstCallPath: '/snapshots/index.json' },
    asks: { archive: openArchiveAsk({ archive, older, catalog }) },
    close: older.close,
  }
}

/** Allows this many calls in a burst, and as many per minute. */
const ofMinute = (calls: number) => ({ atOnce: calls, perSecond: calls / 60 })

/** Refuses calls above the limit. */
function limited(limit: AddressLimit): RequestHandler {
  const limitRequests = limitByAddress(limit)
  return (req, _res, next) => next(limitRequests(req) ?? undefined)
}

/** About 40 sessions as objects. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024

type ArchiveAskDeps = {
  readonly archive: Archive
  readonly older: OlderSessions
  readonly catalog: Catalog
}

/** Session queries for other areas: responses of the archive as cached objects. */
function openArchiveAsk({ archive, older, catalog }: ArchiveAskDeps): ArchiveAsk {
  const cache = openCache<object>(CACHE_MAX_BYTES)
  const parsed = <Value extends object>({ bytes, etag }: { bytes: Uint8Array; etag: string }) => {
    const known = cache.get(etag)
    if (known) return known as Value
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as Value
    cache.put(etag, value, 3 * bytes.byteLength)
    return value
  }
  const running = async ({ manifest, knownBeforeMs }: Found): Promise<RunningSession> => {
    const until = knownBeforeMs === undefined ? '24:00' : wallTimeEt(knownBeforeMs).minute
    const key = `${manifest.session_date} ${manifest.revision} ${until}`
    const known = cache.get(key)
    if (known) return known as RunningSession
    const made = await orDamaged(catalog, () => older.running(manifest, until))
    cache.put(key, made, 6 * 1024 * 1024)
    return made
  }
  return {
    listSessions: async () => (await archive.days()).days,
    readGrades: archive.grades,
    readLevels: async wanted => {
      const open = openSession(wanted, archive, catalog)
      if (open) return (await running(open)).levels
      return parsed<SessionLevels>(await archive.session(archive.find(wanted.day), null))
    },
    readCurves: async (wanted, book) => {
      const open = openSession(wanted, archive, catalog)
      if (open) return (await running(open)).curves[book]
      return parsed<SessionCurves>(await archive.gamma(archive.find(wanted.day), book, null))
    },
    readLadders: async (wanted, { book, time }) => {
      const half = time === null ? null : toHalfHour(time)
      const open = openSession(wanted, archive, catalog)
      if (open) {
        const ladder = (await running(open)).ladders[book]
        return half === null ? ladder : selectHalf(ladder, half)
      }
      return parsed(await archive.strikes(archive.find(wanted.day), { book, half }, null))
    },
    readTape: async day => {
      const manifest = archive.find(day)
      if (!manifest.datasets.tape_report) return null
      return orDamaged(catalog, () => older.tape(manifest))
    },
  }
}

/** Returns today's session if it may be shown; null when the archive serves the request. */
function openSession(
  { day, mayBeOpen }: WantedSession,
  archive: Archive,
  catalog: Catalog,
): Found | null {
  if (!mayBeOpen || !archive.isToday(day)) return null
  const found = catalog.find(day)
  if (found) return found
  const message = `nothing of the session of ${day} is known yet.`
  throw datasetError('no_data', { message, extras: { next_update_s: 60 } })
}
