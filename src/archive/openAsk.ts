import { wallTimeEt } from '../core/market/calendar.ts'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import { openCache } from '../platform/pool/cache.ts'
import type { ArchiveAsk, SessionCurves, SessionLevels, WantedSession } from './ask.ts'
import { datasetError } from './errors.ts'
import type { Archive } from './finished.ts'
import type { OlderSessions } from './older.ts'
import type { RunningSession } from './published.ts'
import { selectHalf, toHalfHour } from './wire.ts'

/** About 40 sessions as objects. */
const CACHE_MAX_BYTES = 64 * 1024 * 1024

type ArchiveAskDeps = {
  readonly archive: Archive
  readonly older: OlderSessions
  readonly catalog: Catalog
}

/** Session queries for other areas: responses of the archive as cached objects. */
export function openArchiveAsk({ archive, older, catalog }: ArchiveAskDeps): ArchiveAsk {
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
