/**
 * Deletes files that no manifest has named for a grace time: superseded versions of sessions, and
 * files that a killed command placed but never named; and what is old in the inbox. Where a manifest cannot be read nothing is
 * deleted.
 */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lockPath, withLock } from '../../core/disk/lock.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { removeLeftovers } from '../../core/disk/work.ts'
import { collectInbox, type InboxFile, inboxFolders } from '../fetched/inbox.ts'
import { RATES, readTapeManifest, tapeManifestPath } from '../tape/manifest.ts'
import { replacedEditions } from './current.ts'
import { labFolder, namedLabFiles } from './labFiles.ts'
import { liveFolder } from './liveManifest.ts'
import {
  manifestPath,
  type PublishedManifest,
  publishedFiles,
  publishedFolder,
  publishedSessions,
  readManifest,
  supersededManifests,
  withPublishLock,
} from './manifest.ts'
import { monthKey, readMonths } from './months.ts'
import { renewViews } from './publish.ts'

/** A reader may hold the file list of a session for a day. */
export const GRACE_MS = 24 * 3_600_000

export type CollectOptions = {
  readonly dataFolder: string
  /** UTC milliseconds. */
  readonly nowMs: number
  /** Minimum age of a superseded file to be deleted. */
  readonly graceMs: number
  /** Age from which imported files of the inbox, and refused ones, are deleted; none by default. */
  readonly inboxAgeMs?: number
  /** Deletes nothing, only reports the files it would delete. */
  readonly isDryRun?: boolean
}

export type Collected = {
  /** Files within the data folder, by name. */
  readonly files: readonly { readonly file: string; readonly bytes: number }[]
  /** Files of the inbox, by name. */
  readonly inbox: readonly InboxFile[]
  /** Superseded files that are still within their grace. */
  readonly waitingCount: number
  /** Exceptions and their reasons, a sentence each. */
  readonly retained: readonly string[]
  /** Work folders and temporary files of processes that have ended. */
  readonly leftovers: readonly string[]
}

/** Collects the superseded files of a data folder. */
export async function collect(options: CollectOptions): Promise<Collected> {
  const { dataFolder, isDryRun = false, inboxAgeMs } = options
  const found: Found = { due: [], waitingCount: 0, retained: [] }
  // views that an analyst's shell may have read a minute ago, even if a crash left them outdated
  const views = readText(join(publishedFolder(dataFolder), 'views.sql'))
  const leftovers = isDryRun || !existsSync(dataFolder) ? [] : removeLeftovers(dataFolder)
  for (const date of listPartitions(publishedFolder(dataFolder))) {
    await unlessRefused(found, () =>
      underLock(
        options,
        lock => withPublishLock(dataFolder, date, lock),
        async () => {
          remove(options, found, findPublished(options, date, views))
          removeEditions(options, `session=${date}`, readManifest(dataFolder, date)?.datasets)
        },
      ),
    )
  }
  await unlessRefused(found, async () => {
    remove(options, found, findMonths(options))
    for (const month of readMonths(dataFolder)) {
      removeEditions(options, monthKey(month), month.datasets)
    }
  })
  for (const date of listPartitions(liveFolder(dataFolder))) {
    await unlessRefused(found, async () => remove(options, found, findLive(options, date)))
  }
  for (const date of partitionsIn(labFolder(dataFolder))) {
    await unlessRefused(found, async () => remove(options, found, findLab(options, date)))
  }
  const busy = 'an import is running, so the tape is left alone'
  const importLock = lockPath(dataFolder, 'import')
  await unlessRefused(found, () =>
    underLock(
      options,
      lock => withLock(importLock, busy, lock),
      async () => {
        for (const key of [...listPartitions(join(dataFolder, 'tape')), RATES]) {
          await unlessRefused(found, async () => remove(options, found, findTape(options, key)))
        }
      },
    ),
  )
  const isOnTape = (day: string, hash: string) =>
    readTapeManifest(dataFolder, day).batches.some(({ source }) => source?.sha256 === hash)
  const inbox: InboxFile[] = []
  for (const folder of inboxAgeMs === undefined ? [] : inboxFolders(dataFolder)) {
    const aged = { dataFolder, nowMs: options.nowMs, ageMs: inboxAgeMs!, isDryRun, isOnTape }
    await unlessRefused(found, async () => {
      inbox.push(...(await collectInbox(folder, aged)))
    })
  }
  if (!isDryRun && views !== '') await renewViews(dataFolder)
  const { due, waitingCount, retained } = found
  return { files: due, inbox, waitingCount, retained, leftovers }
}

type Found = {
  due: { file: string; bytes: number }[]
  waitingCount: number
  retained: string[]
}

type Unnamed = {
  /** Relative to the data folder. */
  readonly file: string
  readonly bytes: number
  /** Instant since which no manifest named it, or a later one. UTC milliseconds. */
  readonly sinceMs: number
}

async function unlessRefused(found: Found, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    found.retained.push(error.message)
  }
}

/** A dry run changes nothing, and so needs no lock. */
const underLock = (
  { isDryRun }: CollectOptions,
  take: (work: () => Promise<void>) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> => (isDryRun ? work() : take(work))

function remove(options: CollectOptions, found: Found, unnamed: readonly Unnamed[]): void {
  const { dataFolder, nowMs, graceMs, isDryRun } = options
  for (const { file, bytes, sinceMs } of unnamed) {
    if (nowMs - sinceMs < graceMs) {
      found.waitingCount += 1
      continue
    }
    if (!isDryRun) rmSync(join(dataFolder, file), { force: true })
    found.due.push({ file, bytes })
  }
}

/** Files of a session that its manifest does not name. */
function findPublished({ dataFolder }: CollectOptions, date: string, views: string): Unnamed[] {
  const published = publishedFolder(dataFolder)
  const files = listFolders(published)
    .flatMap(dataset => listFiles(published, `${dataset}/session=${date}`))
    .filter(({ file }) => /\/[0-9a-f]{16}(-\d+)?\.[a-z.]+$/.test(file))
  const manifest = readManifest(dataFolder, date)
  if (!manifest) {
    if (files.length === 0) return []
    throw new Refusal(`published/manifests/${date}.json is missing; repair ${date} first`)
  }
  const named = new Set(publishedFiles(manifest).map(({ file }) => file))
  const replacedAtMs = writtenAtMs(manifestPath(dataFolder, date))
  const lastNamedAtMs = new Map<string, number>()
  for (const { manifest: old, supersededAtMs } of supersededManifests(dataFolder, date)) {
    for (const { file } of publishedFiles(old)) {
      lastNamedAtMs.set(file, Math.max(supersededAtMs, lastNamedAtMs.get(file) ?? 0))
    }
  }
  return files
    .filter(({ file }) => !named.has(file) && !views.includes(`/${file}'`))
    .map(({ file, bytes, placedAtMs }) => ({
      file: `published/${file}`,
      bytes,
      // never named, or by a manifest that was not stored: then the current one replaced it
      sinceMs: Math.max(placedAtMs, lastNamedAtMs.get(file) ?? replacedAtMs),
    }))
}

/** Files of months that are no longer named. */
function findMonths({ dataFolder }: CollectOptions): Unnamed[] {
  const published = publishedFolder(dataFolder)
  const months = readMonths(dataFolder)
  if (months.length === 0) return []
  const named = new Set(months.flatMap(({ datasets }) => Object.values(datasets)).map(readName))
  const replacedAtMs = writtenAtMs(join(published, 'months.json'))
  return listFolders(join(published, 'monthly'))
    .flatMap(name => listFolders(join(published, 'monthly', name)).map(key => `${name}/${key}`))
    .flatMap(folder => listFiles(published, `monthly/${folder}`))
    .filter(({ file }) => !named.has(file))
    .map(({ file, bytes, placedAtMs }) => ({
      file: `published/${file}`,
      bytes,
      sinceMs: Math.max(placedAtMs, replacedAtMs),
    }))
}

const readName = ({ file }: { readonly file: string }): string => file

/** Removes the links of editions whose files were removed; of one partition. */
function removeEditions(
  { dataFolder, isDryRun }: CollectOptions,
  key: string,
  files: PublishedManifest['datasets'] | undefined,
): void {
  const published = publishedFolder(dataFolder)
  if (isDryRun || files === undefined) return
  for (const edition of replacedEditions(published, key, files)) {
    const path = join(published, edition)
    const isWhole = readdirSync(path).every(name => existsSync(join(path, name)))
    if (!isWhole) rmSync(path, { recursive: true, force: true })
  }
}

/** Published states of a running session: nobody reads them once the session is published. */
function findLive({ dataFolder }: CollectOptions, date: string): Unnamed[] {
  if (!readManifest(dataFolder, date)) return []
  const live = liveFolder(dataFolder)
  const publishedAtMs = writtenAtMs(manifestPath(dataFolder, date))
  const manifest = listFiles(live, 'manifests').filter(({ file }) =>
    file.startsWith(`manifests/${date}.`),
  )
  const files = listFolders(live).flatMap(dataset => listFiles(live, `${dataset}/session=${date}`))
  return [...manifest, ...files].map(({ file, bytes, placedAtMs }) => ({
    file: `live/${file}`,
    bytes,
    sinceMs: Math.max(placedAtMs, publishedAtMs),
  }))
}

/** LAB files of a session whose publication has changed since, or of a killed run. */
function findLab({ dataFolder }: CollectOptions, date: string): Unnamed[] {
  const manifest = readManifest(dataFolder, date)
  const named = new Set(manifest ? namedLabFiles(manifest) : [])
  const replacedAtMs = manifest ? writtenAtMs(manifestPath(dataFolder, date)) : 0
  return listFiles(dataFolder, `lab/session=${date}`)
    .filter(({ file }) => !named.has(file))
    .map(({ file, bytes, placedAtMs }) => ({
      file,
      bytes,
      sinceMs: Math.max(placedAtMs, replacedAtMs),
    }))
}

/** Batches of a session, or of the rates, that neither its tape nor its published build names. */
function findTape({ dataFolder }: CollectOptions, key: string): Unnamed[] {
  const tape = join(dataFolder, 'tape')
  const files =
    key === RATES
      ? listFiles(tape, RATES)
      : listFolders(tape).flatMap(dataset => listFiles(tape, `${dataset}/session=${key}`))
  const batches = files.filter(({ file }) => file.endsWith('.parquet'))
  if (batches.length === 0) return []
  const path = tapeManifestPath(dataFolder, key)
  if (!existsSync(path)) {
    throw new Refusal(`tape/manifests/${key}.json is missing, so its batches are left alone`)
  }
  const named = new Set(readTapeManifest(dataFolder, key).batches.map(({ file }) => file))
  let replacedAtMs = writtenAtMs(path)
  // a curve serves many sessions
  for (const date of key === RATES ? publishedSessions(dataFolder) : [key]) {
    const manifest = readManifest(dataFolder, date)
    if (!manifest) continue
    for (const { file } of manifest.inputs) named.add(file.replace(/^tape\//, ''))
    replacedAtMs = Math.max(replacedAtMs, writtenAtMs(manifestPath(dataFolder, date)))
  }
  return batches
    .filter(({ file }) => !named.has(file))
    .map(({ file, bytes, placedAtMs }) => ({
      file: `tape/${file}`,
      bytes,
      sinceMs: Math.max(placedAtMs, replacedAtMs),
    }))
}

/** Session dates that have a folder in any dataset, oldest first. */
function listPartitions(root: string): string[] {
  const dates = listFolders(root).flatMap(dataset => partitionsIn(join(root, dataset)))
  return [...new Set(dates)].sort()
}

/** Session dates of the folders in one. */
function partitionsIn(root: string): string[] {
  const dates = listFolders(root).map(name => /^session=(\d{4}-\d{2}-\d{2})$/.exec(name)?.[1])
  return dates.filter(date => date !== undefined).sort()
}

const listFolders = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(entry => entry.name)
    : []

function listFiles(root: string, folder: string) {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => {
      const { size, mtimeMs } = statSync(join(path, name))
      return { file: `${folder}/${name}`, bytes: size, placedAtMs: mtimeMs }
    })
}

const writtenAtMs = (path: string): number => statSync(path).mtimeMs

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
