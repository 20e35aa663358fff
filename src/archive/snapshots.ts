import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { damagedFiles, sha256 } from '../core/disk/files.ts'
import { Refusal } from '../core/disk/refusal.ts'
import type { SessionDate } from '../core/market/calendar.ts'
import { sharedDatasets } from '../data/dictionary/dictionary.ts'
import { judgePublished } from '../data/published/condition.ts'
import { DamagedFile, readStamp } from '../data/published/damagedFile.ts'
import {
  type PublishedFile,
  type PublishedManifest,
  publishedFolder,
  supersededManifests,
} from '../data/published/manifest.ts'
import { type Month, readMonths } from '../data/published/months.ts'
import { viewsOver } from '../data/published/views.ts'
import type { SnapshotIndex } from './schema.ts'

/** Downloadable files of finished sessions, with their public names. */

type Index = z.infer<typeof SnapshotIndex>
type SnapshotRow = Index['files'][number]
type MonthRow = NonNullable<Index['months']>[number]

/** A file that can be downloaded; `entry.file` is relative to the folder of its tree. */
export type TreeFile = {
  readonly entry: PublishedFile
  readonly day: SessionDate
  readonly simulated: boolean
}

const PARQUET = /^([a-z_]+)\.(\d{4}-\d{2}-\d{2})\.([0-9a-f]{16})\.parquet$/
const MONTH_FILE = /^([a-z_]+)\.(\d{4}-\d{2})\.([0-9a-f]{16})\.parquet$/
const MANIFEST = /^manifest\.(\d{4}-\d{2}-\d{2})\.json$/

export type SnapshotsDeps = {
  readonly dataFolder: string
  /** Manifests of the finished sessions, oldest first. */
  readonly finished: () => readonly PublishedManifest[]
  readonly sharesPrints: boolean
  /** How long after its close a session may be published. */
  readonly publishGraceMs: number
}

export type Snapshots = {
  /** `index.json`: every file of the finished sessions, by day and dataset, and their state. */
  readonly index: () => string
  /** `SHA256SUMS`, in the format of `sha256sum --check`. */
  readonly sums: () => string
  /** `views.sql`: each dataset as a view over the addresses of its files below `base`. */
  readonly views: (base: string) => string
  /** `manifest.DAY.json`; null when there is no such session. */
  readonly manifest: (name: string) => string | null
  /**
   * Finds a Parquet file by its name; null when it is not shared. A file of a superseded version is
   * found until it is deleted, so that running downloads can finish.
   */
  readonly find: (name: string) => TreeFile | null
}

export function openSnapshots(deps: SnapshotsDeps): Snapshots {
  const { dataFolder, finished, sharesPrints, publishGraceMs } = deps
  const datasets = sharedDatasets(sharesPrints)
  const folder = publishedFolder(dataFolder)
  const listSessionFiles = (manifest: PublishedManifest): SnapshotRow[] =>
    datasets.flatMap(({ name: dataset }) => {
      const entry = manifest.datasets[dataset]
      if (!entry) return []
      const { rows, bytes, sha256: hash } = entry
      const day = manifest.session_date
      return [{ file: snapshotName(dataset, day, hash), dataset, day, rows, bytes, sha256: hash }]
    })
  const list = () => finished().flatMap(listSessionFiles)
  const listDay = (manifest: PublishedManifest) => {
    const { session_date: day, revision, simulated } = manifest
    return { day, revision, simulated, ...judgePublished(manifest, publishGraceMs) }
  }
  const manifestText = (manifest: PublishedManifest) =>
    sharedManifest(manifest, listSessionFiles(manifest))
  const findFinished = (day: string) => finished().find(({ session_date: date }) => date === day)

  /** Months of which every session is finished. */
  const listMonths = (): readonly Month[] => readMonthsOrNone(dataFolder)
  const isListed = ({ sessions }: Month) =>
    sessions.every(({ session_date: date }) => findFinished(date) !== undefined)
  const monthRows = () => listMonths().filter(isListed).flatMap(listMonthFiles)
  // one text while the sessions and the months are the same
  const index = ofSessions(finished, listMonths, manifests =>
    JSON.stringify({ files: list(), months: monthRows(), days: manifests.map(listDay) }),
  )
  const sums = ofSessions(finished, listMonths, manifests =>
    [
      ...manifests.flatMap(manifest => [
        `${sha256(manifestText(manifest))}  manifest.${manifest.session_date}.json\n`,
        ...listSessionFiles(manifest).map(({ file, sha256: hash }) => `${hash}  ${file}\n`),
      ]),
      ...monthRows().map(({ file, sha256: hash }) => `${hash}  ${file}\n`),
    ].join(''),
  )
  const findMonth = (name: string): TreeFile | null => {
    const [, dataset = '', wanted = '', hash = ''] = MONTH_FILE.exec(name) ?? []
    for (const { month, simulated, sessions, datasets: files } of listMonths().filter(isListed)) {
      const entry = month === wanted ? files[dataset] : undefined
      const day = sessions.at(-1)!.session_date
      if (entry?.sha256.startsWith(hash)) return { entry, day, simulated }
    }
    return null
  }

  return {
    index,
    sums,
    views: base => {
      const byDataset = Map.groupBy(list(), ({ dataset }) => dataset)
      const listAddresses = (name: string) =>
        (byDataset.get(name) ?? []).map(({ file }) => `${base}${file}`)
      return `${viewsHead(base)}${viewsOver(datasets, listAddresses).join('\n')}\n`
    },
    manifest: name => {
      const manifest = findFinished(MANIFEST.exec(name)?.[1] ?? '')
      return manifest ? manifestText(manifest) : null
    },
    find: name => {
      const [, dataset = '', day = '', hash = ''] = PARQUET.exec(name) ?? []
      if (!datasets.some(one => one.name === dataset)) return findMonth(name)
      const current = findFinished(day)
      if (!current) return null
      const before = () => supersededManifests(dataFolder, day).map(({ manifest }) => manifest)
      for (const versions of [() => [current], before]) {
        for (const manifest of versions()) {
          const entry = manifest.datasets[dataset]
          if (!entry?.sha256.startsWith(hash)) continue
          // a missing file of an old version was collected; one of the current is damaged
          const isThere = manifest === current || existsSync(join(folder, entry.file))
          return isThere ? { entry, day, simulated: manifest.simulated } : null
        }
      }
      return null
    },
  }
}

const NO_MONTHS: readonly Month[] = []

/** The months, or none where their list is damaged: the files of days do not depend on it. */
function readMonthsOrNone(dataFolder: string): readonly Month[] {
  try {
    return readMonths(dataFolder)
  } catch (error) {
    if (error instanceof Refusal) return NO_MONTHS
    throw error
  }
}

/** Caches what is made of the sessions while their list is the same. */
function ofSessions<Made>(
  finished: SnapshotsDeps['finished'],
  listMonths: () => readonly Month[],
  make: (manifests: readonly PublishedManifest[]) => Made,
): () => Made {
  type Last = { readonly from: readonly unknown[]; readonly made: Made }
  let last: Last | null = null
  return () => {
    const from = [finished(), listMonths()] as const
    if (last === null || from.some((list, index) => list !== last!.from[index])) {
      last = { from, made: make(from[0]) }
    }
    return last.made
  }
}

const listMonthFiles = ({ month, simulated, sessions, datasets }: Month): MonthRow[] =>
  Object.entries(datasets).map(([dataset, { rows, bytes, sha256: hash }]) => ({
    file: snapshotName(dataset, month, hash),
    dataset,
    month,
    simulated,
    days: sessions.map(({ session_date: date }) => date),
    rows,
    bytes,
    sha256: hash,
  }))

export const snapshotName = (dataset: string, dayOrMonth: string, hash: string) =>
  `${dataset}.${dayOrMonth}.${hash.slice(0, 16)}.parquet`

/** The shared part of a manifest: no files of the tape, and only datasets that are shared. */
function sharedManifest(manifest: PublishedManifest, files: readonly SnapshotRow[]): string {
  const { format, session_date, symbol, simulated, revision, asof, code_version } = manifest
  const { min_premium_usd, minutes, tape_grade, published_at, edition } = manifest
  const datasets = Object.fromEntries(
    files.map(({ dataset, file, rows, bytes, sha256: hash }) => [
      dataset,
      { file, rows, bytes, sha256: hash },
    ]),
  )
  const named = { format, session_date, symbol, simulated, revision, published_at, edition }
  const facts = { ...named, asof, code_version }
  return `${JSON.stringify({ ...facts, min_premium_usd, minutes, tape_grade, datasets }, null, 2)}\n`
}

const viewsHead = (base: string) =>
  `-- Every dataset as a view over its files. DuckDB first needs to know your key:
--   create secret (type http, bearer_token 'labk_...', scope '${base}');
`

/**
 * Verifies files of a folder against their hash, and remembers the result until a file changes.
 * Fails with DamagedFile.
 */
export function openProof(folder: string): (found: TreeFile) => Promise<void> {
  const proven = new Map<string, string>()
  // sequential: there is one disk
  let last: Promise<unknown> = Promise.resolve()
  const prove = async ({ entry, day }: TreeFile): Promise<void> => {
    const path = join(folder, entry.file)
    const stamp = readStamp(path)
    if (proven.get(path) === stamp) return
    const [message] = await damagedFiles(folder, [entry])
    if (message !== undefined) throw new DamagedFile(day, { path, stamp, message })
    proven.set(path, stamp)
  }
  return async found => {
    const path = join(folder, found.entry.file)
    if (proven.get(path) === readStamp(path)) return
    const next = last.then(() => prove(found))
    last = next.catch(() => {})
    await next
  }
}
