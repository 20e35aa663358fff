/**
 * The data folder as a cache of the store: whole sessions leave it, least recently used first. A
 * reader that has a file open reads on; one that comes later finds the session unpublished until it
 * is pulled again.
 */

import { existsSync, readFileSync } from 'node:fs'
import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../../core/disk/files.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { unlinkSession } from '../../data/published/current.ts'
import { OPEN_CLOSE } from '../../data/tape/manifest.ts'
import { basePath, readBase } from './bases.ts'
import { type ManifestName, manifestPath, withManifestLock } from './kinds.ts'

/** Age from which a session that was pulled or used may leave. */
const STAY_MS = 24 * 3_600_000

/** Time between the removal of manifests and of files: a server looks at manifests twice a second. */
const NOTICE_MS = 2_000

export type CacheOptions = {
  readonly dataFolder: string
  readonly limitBytes: number
  /** UTC milliseconds. */
  readonly nowMs: number
  /** Wait before files are removed, milliseconds; left out, 2,000. */
  readonly noticeMs?: number
}

export type Shrunk = {
  /** Bytes of the sessions that are left. */
  readonly bytes: number
  readonly evicted: readonly SessionDate[]
}

type CachedSession = {
  readonly date: SessionDate
  readonly folders: readonly string[]
  readonly bytes: number
  readonly usedAtMs: number
}

/**
 * Evicts sessions until the others fit the limit. Stays: a session that runs, that the store does
 * not have as it is, or that was pulled within a day; so the result may exceed the limit.
 */
export async function shrinkCache(options: CacheOptions): Promise<Shrunk> {
  const { dataFolder, limitBytes, nowMs, noticeMs = NOTICE_MS } = options
  const sessions = await listSessions(dataFolder)
  let bytes = sessions.reduce((sum, session) => sum + session.bytes, 0)
  const victims: CachedSession[] = []
  for (const session of sessions.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (bytes <= limitBytes) break
    if (!(await mayLeave(dataFolder, session.date, nowMs))) continue
    victims.push(session)
    bytes -= session.bytes
  }
  if (victims.length === 0) return { bytes, evicted: [] }
  for (const { date } of victims) await removeManifests(dataFolder, date)
  await sleep(noticeMs)
  for (const victim of victims) await removeFiles(dataFolder, victim)
  return { bytes, evicted: victims.map(({ date }) => date).sort() }
}

export type SessionCache = {
  /**
   * Makes free space for the files of a manifest that is about to be pulled; without `mayEvict` only
   * where there is some. Returns false where they do not fit: nothing may be pulled then.
   */
  readonly admit: (bytes: number, mayEvict: boolean) => Promise<boolean>
}

/** Opens the cache of a folder; the folder is measured again only where the limit may be reached. */
export function openCache(
  dataFolder: string,
  limitBytes: number,
  nowMs: () => number,
  noticeMs = NOTICE_MS,
): SessionCache {
  let known: number | null = null
  return {
    admit: async (bytes, mayEvict) => {
      known ??= await measureCache(dataFolder)
      if (known + bytes > limitBytes) known = await measureCache(dataFolder)
      if (known + bytes > limitBytes && mayEvict && bytes <= limitBytes) {
        const target = { dataFolder, limitBytes: limitBytes - bytes, nowMs: nowMs(), noticeMs }
        known = (await shrinkCache(target)).bytes
      }
      if (known + bytes > limitBytes) return false
      known += bytes
      return true
    },
  }
}

/** Bytes of all sessions of the folder. */
export async function measureCache(dataFolder: string): Promise<number> {
  return (await listSessions(dataFolder)).reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Manifests that a session may have. */
const listSessionManifests = (date: SessionDate): ManifestName[] => [
  { kind: 'published', key: date },
  { kind: 'live', key: date },
  { kind: 'tape', key: date },
  { kind: 'tape', key: `${OPEN_CLOSE}-${date}` },
]

async function mayLeave(dataFolder: string, date: SessionDate, nowMs: number): Promise<boolean> {
  const names = listSessionManifests(date)
  const [published, live] = names.map(name => existsSync(manifestPath(dataFolder, name)))
  if (live && !published) return false
  let isOfStore = false
  for (const name of names) {
    const base = readBase(dataFolder, name)
    const path = manifestPath(dataFolder, name)
    if (base) {
      isOfStore = true
      const { mtimeMs } = await stat(basePath(dataFolder, name))
      if (nowMs - mtimeMs < STAY_MS) return false
    }
    if (existsSync(path) && sha256(readFileSync(path)) !== base?.sha256) return false
  }
  return isOfStore
}

/** Removes the manifests of a session, unless one of them is no longer that of the store. */
async function removeManifests(dataFolder: string, date: SessionDate): Promise<void> {
  for (const name of listSessionManifests(date)) {
    const path = manifestPath(dataFolder, name)
    if (!existsSync(path)) continue
    await withManifestLock(dataFolder, name, async () => {
      if (readBase(dataFolder, name)?.sha256 !== sha256(readFileSync(path))) return
      if (name.kind === 'published') unlinkSession(dataFolder, date)
      await rm(path)
    })
  }
}

/** Removes the files of a session, and then its bases, unless it was pulled or published since. */
async function removeFiles(dataFolder: string, { date, folders }: CachedSession): Promise<void> {
  const names = listSessionManifests(date)
  await withManifestLock(dataFolder, names[0]!, async () => {
    if (names.some(name => existsSync(manifestPath(dataFolder, name)))) return
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
    for (const name of names) await rm(basePath(dataFolder, name), { force: true })
  })
}

/** Sessions that have files in the folder. */
async function listSessions(dataFolder: string): Promise<CachedSession[]> {
  const folders = new Map<SessionDate, string[]>()
  for (const root of ['published', 'live', 'tape']) {
    for (const dataset of await namesIn(join(dataFolder, root))) {
      await addPartitions(folders, join(dataFolder, root, dataset))
    }
  }
  await addPartitions(folders, join(dataFolder, 'lab'))
  const sessions: CachedSession[] = []
  for (const [date, paths] of folders) {
    let bytes = 0
    let usedAtMs = 0
    for (const path of paths) {
      for (const name of await namesIn(path)) {
        // links to current files, and folders of such links, take no space to speak of
        const file = await lstat(join(path, name)).catch(() => null)
        if (!file?.isFile()) continue
        bytes += file.size
        usedAtMs = Math.max(usedAtMs, file.atimeMs, file.mtimeMs)
      }
    }
    sessions.push({ date, folders: paths, bytes, usedAtMs })
  }
  return sessions
}

/** Adds the folders of sessions in one: `session=DATE`, or DATE alone for Open-Close flows. */
async function addPartitions(folders: Map<SessionDate, string[]>, parent: string): Promise<void> {
  for (const name of await namesIn(parent)) {
    const date = /^(?:session=)?(\d{4}-\d{2}-\d{2})$/.exec(name)?.[1]
    if (date !== undefined) folders.set(date, [...(folders.get(date) ?? []), join(parent, name)])
  }
}

const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => [])
