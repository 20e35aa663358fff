import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { sha256 } from '../../core/disk/files.ts'
import { isLack } from '../../core/disk/refusal.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { DamagedFile, readStamp } from './damagedFile.ts'
import { liveFolder, namedPaths, readLiveFacts } from './liveManifest.ts'
import { describeReason, type Look, type ManifestLists, manifestLook } from './look.ts'
import type { LedgerFileEntry, PublishedManifest } from './manifest.ts'
import { Unreadable } from './sight.ts'

/** Cached ledger bytes, most recently used; a busy session is about 2 MB in all its forms. */
const CACHE_MAX_BYTES = 256 * 1024 * 1024

export type CatalogDeps = {
  readonly dataFolder: string
  readonly nowMs: () => number
  readonly log: {
    readonly error: (fields: object, message: string) => void
    readonly info?: (fields: object, message: string) => void
  }
  /** As in `manifestLook`. */
  readonly sharesTurn?: boolean | undefined
}

export type LedgerBytes = {
  readonly bytes: Uint8Array
  readonly etag: string
}

export type Found = {
  readonly manifest: PublishedManifest
  readonly isNewest: boolean
  /** Set while the session runs: records known from this instant on are not included yet. */
  readonly knownBeforeMs?: number
}

export type SessionList = {
  /** Days, oldest first. */
  readonly sessions: () => readonly SessionDate[]
  /** Manifests of the sessions that were built whole, oldest first; the same list until a change. */
  readonly finished: () => readonly PublishedManifest[]
  /** Returns a session's manifest, and whether it is the newest one, by one look at the disk. */
  readonly find: (date: SessionDate) => Found | null
  readonly newest: () => Found | null
}

/**
 * The published sessions with a ledger, as of now: reads manifests and ledger files, never DuckDB.
 * While the folder cannot be read, the last successful look at it is used; without any, `sessions`,
 * `finished`, `find`, `newest` and `unreadable` fail with Unreadable.
 */
export type Catalog = SessionList & {
  /** The same with the sessions that have market minutes alone. */
  readonly replayed: SessionList
  /**
   * A form of a session's ledger, or of the archive, checked against the manifest's hash on its
   * first read. For a damaged or missing file, returns the last good bytes this process had. Fails
   * with DamagedFile when there are none.
   */
  readonly readLedger: (manifest: PublishedManifest, form: string) => Promise<LedgerBytes>
  /** Days whose manifest cannot be read and never could be by this process, oldest first. */
  readonly unreadable: () => readonly SessionDate[]
  /**
   * Remembers damage found by another reader of the same files, until the file is replaced or no
   * longer part of its session.
   */
  readonly reportDamage: (damage: DamagedFile) => void
  /** Faults of the published files, as far as they were read. */
  readonly problems: () => readonly string[]
}

type Cached = LedgerBytes & { readonly sha256: string }

/** Opens the catalog of a data folder; the folder may be empty, or not exist yet. */
export function openCatalog({ dataFolder, nowMs, log, sharesTurn }: CatalogDeps): Catalog {
  const published = join(dataFolder, 'published')
  const lookAt = (what: string, folder: string) =>
    manifestLook({ what, folder: join(folder, 'manifests'), nowMs, log, sharesTurn })
  const finishedLook = lookAt('the published sessions', published)
  const liveLook = lookAt('the running session', liveFolder(dataFolder))
  const cache = new LRUCache<string, Cached>({
    maxSize: CACHE_MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.byteLength + 2 * key.length,
  })
  const loading = new Map<string, Promise<LedgerBytes>>()
  const damaged = new Map<string, DamagedFile>()

  const reportDamage = (damage: DamagedFile) => {
    if (damage.stamp === null || damaged.get(damage.path)?.stamp === damage.stamp) return
    damaged.set(damage.path, damage)
    log.error({ date: damage.date, reason: damage.message }, 'damaged file')
  }

  const load = async (manifest: PublishedManifest, form: string, entry: LedgerFileEntry) => {
    const key = formKey(manifest, form)
    const last = cache.get(key)
    const path = join(published, entry.file)
    const stamp = readStamp(path)
    try {
      const loaded = { ...(await readVerified(published, entry)), sha256: entry.sha256 }
      damaged.delete(path)
      cache.set(key, loaded)
      return loaded
    } catch (error) {
      // the error is not about the file
      if (isLack(error)) {
        if (last) return last
        throw error
      }
      const message = `${entry.file}: ${describeReason(error)}`
      const damage = new DamagedFile(manifest.session_date, { path, stamp, message })
      reportDamage(damage)
      if (last) return last
      throw damage
    }
  }

  const readLive = (date?: SessionDate) => seen(liveLook(date))
  const ledgers = listSessions(date => seen(finishedLook(date)).withLedger, readLive)
  return {
    ...ledgers,
    replayed: listSessions(date => seen(finishedLook(date)), readLive),
    readLedger: async (manifest, form) => {
      const entry = manifest.ledger[form] ?? manifest.archive?.[form]
      if (!entry) throw new Error(`the manifest of ${manifest.session_date} has no ${form} ledger`)
      const key = formKey(manifest, form)
      const cached = cache.get(key)
      if (cached?.sha256 === entry.sha256) return cached
      const requestKey = `${key} ${entry.sha256}`
      const promise = loading.get(requestKey) ?? load(manifest, form, entry)
      loading.set(requestKey, promise)
      return promise.finally(() => loading.delete(requestKey))
    },
    unreadable: () => seen(finishedLook()).unreadable(),
    reportDamage,
    problems: () => {
      const { find } = ledgers
      return listProblems([finishedLook(), liveLook()], { dataFolder, damaged, find })
    },
  }
}

type ReadLists = (date?: SessionDate) => ManifestLists

/** The sessions of finished and of running ones; a finished one takes precedence. */
function listSessions(readFinished: ReadLists, readLive: ReadLists): SessionList {
  const sessions = () => {
    const finished = readFinished().dates()
    const running = readLive()
      .dates()
      .filter(date => !finished.includes(date))
    return running.length === 0 ? finished : [...finished, ...running].sort()
  }
  const find = (date: SessionDate) => foundIn(date, readFinished(date), () => readLive(date))
  return {
    sessions,
    finished: () => readFinished().all(),
    find,
    newest: () => {
      const last = sessions().at(-1)
      return last === undefined ? null : find(last)
    },
  }
}

/** The catalog whose sessions may have market minutes alone: for replays of positions and ideas. */
export const withReplayed = (catalog: Catalog): Catalog => ({ ...catalog, ...catalog.replayed })

/** Describes why a day is no session of the catalog, without a full stop. */
export const describeAbsence = ({ replayed }: Pick<Catalog, 'replayed'>, day: SessionDate) =>
  replayed.find(day) === null
    ? `${day} is not published`
    : `${day} has market minutes alone, for replays: neither a ledger nor levels`

/** Lists the manifests of days before today; the same list while those of the catalog are the same. */
export function finishedBefore(
  finished: Catalog['finished'],
  today: () => SessionDate,
): Catalog['finished'] {
  let last: { all: readonly PublishedManifest[]; day: SessionDate } | null = null
  let list: readonly PublishedManifest[] = []
  return () => {
    const [all, day] = [finished(), today()]
    if (last?.all !== all || last.day !== day) {
      list = all.filter(({ session_date: date }) => date < day)
      last = { all, day }
    }
    return list
  }
}

/** Finds a session in the views. The running one is read only where it can matter. */
function foundIn(date: SessionDate, finished: ManifestLists, readLive: () => ManifestLists) {
  const manifest = finished.find(date)
  const last = finished.dates().at(-1) ?? ''
  if (manifest && last > date) return { manifest, isNewest: false }
  const live = readLive()
  const isNewest = last <= date && (live.dates().at(-1) ?? '') <= date
  if (manifest) return { manifest, isNewest }
  const running = live.find(date)
  const facts = running && readLiveFacts(running)
  return facts ? { manifest: running, isNewest, knownBeforeMs: facts.known_before_ms } : null
}

type Damages = {
  readonly dataFolder: string
  /** Damage by path; files that are no longer damaged or no longer published are removed. */
  readonly damaged: Map<string, DamagedFile>
  readonly find: Catalog['find']
}

function listProblems(looks: readonly Look[], { dataFolder, damaged, find }: Damages): string[] {
  // a file that was replaced since is judged on its next read
  const faults = looks.flatMap(({ fault }) => (fault ? [fault.text] : []))
  if (looks.some(({ isBlind }) => isBlind)) return faults
  for (const { date, path, stamp } of damaged.values()) {
    const manifest = find(date)?.manifest
    const isNamed = manifest && namedPaths(dataFolder, manifest).includes(path)
    if (!isNamed || readStamp(path) !== stamp) damaged.delete(path)
  }
  const messages = [...damaged.values()].map(({ message }) => message)
  return [...faults, ...looks[0]!.view.problems(), ...messages]
}

/** Returns the view; fails when no look was ever successful. */
function seen({ view, fault, isBlind }: Look): Look['view'] {
  if (fault && isBlind) throw new Unreadable(fault.code)
  return view
}

const formKey = ({ session_date: date }: PublishedManifest, form: string) => `${date} ${form}`

async function readVerified(published: string, entry: LedgerFileEntry): Promise<LedgerBytes> {
  const bytes = await readFile(join(published, entry.file))
  const hash = sha256(bytes)
  if (hash === entry.sha256) return { bytes, etag: entry.etag }
  throw new Error(`its sha256 is ${hash} in ${bytes.byteLength} bytes, not ${entry.sha256}`)
}
