import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { sha256, storeByHash, writeAtomically } from '../../core/disk/files.ts'
import { parsedOnce } from '../../core/disk/parsed.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { withWorkFolder } from '../../core/disk/work.ts'
import { forEachConcurrently } from '../../core/engine/concurrent.ts'
import type { Database } from '../../core/engine/database.ts'
import { type Column, columns } from '../dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../dictionary/dictionary.ts'
import {
  DatasetFile,
  PUBLISHED_FORMAT,
  type PublishedManifest,
  parseManifest,
  publishedFiles,
  publishedFolder,
  refuseRemoved,
  withPublishLock,
} from './manifest.ts'
import { writeParquet } from './parquet.ts'

/** Facts that a running session adds to its manifest: the current state, and the files so far. */
const LiveFacts = z.looseObject({
  /** ET minute of the newest state. */
  minute: z.string().regex(/^\d{2}:\d{2}$/),
  /** Instant from which on records are not yet in the files. UTC milliseconds. */
  known_before_ms: z.int(),
  /** Files by dataset, oldest first, relative to `live/`; each holds what one step added. */
  files: z.record(z.string(), z.array(DatasetFile)),
  /** Findings of the audits of the states, a sentence each; absent without any. */
  alarms: z.array(z.string()).optional(),
})

/** Maximum of alarms listed for a session: the first show where to look. */
const ALARMS_LISTED_MAX = 20

export type LiveFacts = z.infer<typeof LiveFacts>
type LiveFile = z.infer<typeof DatasetFile>
export type LiveManifest = PublishedManifest & { readonly live: LiveFacts }

/** Folder of running sessions: separate from the files that are final and safe to glob. */
export const liveFolder = (dataFolder: string): string => join(dataFolder, 'live')

/** Tables with the rows that a step of a session adds to each dataset. */
export const STEP_TABLES = {
  orders: 'live.new_orders',
  legs: 'live.new_legs',
  revisions: 'live.ended',
  revision_legs: 'live.ended_legs',
  levels: 'live.state_levels',
  profiles: 'live.state_profiles',
  strikes: 'live.state_strikes',
  exposures: 'live.state_exposures',
  expiry_levels: 'live.state_expiry_levels',
  flow: 'live.state_flow',
  basis: 'live.state_basis',
  market_minutes: 'live.state_market_minutes',
  large_orders: 'live.new_large_orders',
  option_minutes: 'live.state_option_minutes',
  smiles: 'live.state_smiles',
  settlements: 'live.state_settlements',
  message_times: 'live.message_times',
  printed_minutes: 'live.new_printed_minutes',
} as const

/**
 * Times of the messages of a running session, separate from its orders; a finished one has none.
 */
export const MESSAGE_COLUMNS = {
  message_times: columns(`
  known_at      timestamp   UTC instant from which the newest message of a minute was known`),
  printed_minutes: columns(`
  minute_at     timestamp   UTC instant at which a minute begins
  known_at      timestamp   UTC instant from which its first print was known`),
} as const

/** The columns of a dataset that a step has, in their order. */
function stepColumns(name: string): readonly Column[] {
  const messageColumns = MESSAGE_COLUMNS[name as keyof typeof MESSAGE_COLUMNS]
  if (messageColumns) return messageColumns
  const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
  // the rank is known only in the finished ledger
  return columns.filter(column => column.name !== 'ledger_rank')
}

/** Files of a manifest's dataset and their folder, of a running session or not. */
export function datasetFiles(dataFolder: string, manifest: PublishedManifest, name: string) {
  const live = readLiveFacts(manifest)
  if (live) return { folder: liveFolder(dataFolder), files: live.files[name] ?? [] }
  const entry = manifest.datasets[name]
  return { folder: publishedFolder(dataFolder), files: entry ? [entry] : [] }
}

/** Every file that a manifest names, as paths. */
export function namedPaths(dataFolder: string, manifest: PublishedManifest): string[] {
  const live = readLiveFacts(manifest)
  if (live) {
    return Object.values(live.files).flatMap(files =>
      files.map(({ file }) => join(liveFolder(dataFolder), file)),
    )
  }
  return publishedFiles(manifest).map(({ file }) => join(publishedFolder(dataFolder), file))
}

/** Returns the facts that the manifest of a running session adds; null for a finished one. */
export function readLiveFacts(manifest: PublishedManifest): LiveFacts | null {
  const { live } = manifest as { live?: unknown }
  return live === undefined ? null : LiveFacts.parse(live)
}

/** The manifest of a running session, or null when no state of it was published. */
export function readLiveManifest(dataFolder: string, date: string): LiveManifest | null {
  const path = manifestPath(dataFolder, date)
  return existsSync(path) ? parseLiveManifest(readFileSync(path, 'utf8'), path) : null
}

const parseLiveManifest = parsedOnce((text): LiveManifest | null => {
  const manifest = parseManifest(text)
  const live = readLiveFacts(manifest)
  return live && { ...manifest, live }
})

const manifestPath = (dataFolder: string, date: string): string =>
  join(liveFolder(dataFolder), 'manifests', `${date}.json`)

/** Another feed has published since a state was begun: it is to be added to that one's state. */
export class StateReplaced extends Refusal {}

/** True when a state is another one with states added to it: the same files, and maybe more. */
export function extendsState(later: LiveFacts, earlier: LiveFacts): boolean {
  return Object.entries(earlier.files).every(([name, files]) => {
    const own = later.files[name] ?? []
    return files.every(({ sha256 }, index) => own[index]?.sha256 === sha256)
  })
}

export type LiveDraft = Pick<
  PublishedManifest,
  'session_date' | 'symbol' | 'simulated' | 'asof' | 'code_version' | 'min_premium_usd' | 'minutes'
> & {
  readonly minute: string
  readonly knownBeforeMs: number
  /** Findings of the audits of this state. */
  readonly alarms?: readonly string[]
  /** Revision of the state that the rows are added to; null for the first state. */
  readonly replaces: string | null
  /**
   * True when the publisher also published the state before, and nothing failed since then: the
   * search of a whole session for strays takes as long as writing a state.
   */
  readonly hasNoStrays?: boolean
}

/**
 * Publishes the rows that one step of a running session added: new files, then the manifest that
 * names them after those of the steps before. A crash before the manifest leaves files no reader
 * knows of. A state that is already published, or a later one, is left as it is and returned: by
 * another feed, or because only the last call to the disk failed. Fails with StateReplaced when
 * another state than `replaces` stands before it.
 */
export async function publishState(
  db: Database,
  dataFolder: string,
  draft: LiveDraft,
): Promise<LiveManifest> {
  const { minute, knownBeforeMs, alarms = [], replaces: _, hasNoStrays = false, ...facts } = draft
  const { session_date: date } = facts
  const before = await withPublishLock(dataFolder, date, async () => {
    const latest = readLiveManifest(dataFolder, date)
    if (!hasNoStrays && !findPublished(latest, draft)) removeStrays(dataFolder, date, latest)
    return latest
  })
  const published = findPublished(before, draft)
  if (published) return published
  const added = await countStep(db)
  const placed = new Map<string, LiveFile>()
  await withWorkFolder(dataFolder, `live-${date}`, work =>
    // one file is flushed to disk while the next one is written
    forEachConcurrently(db, added, async ({ name, table, rows }, connection) => {
      const path = join(work, `${name}.parquet.tmp`)
      await writeRows(connection, name, table, path)
      placed.set(name, await storeFile(dataFolder, name, date, minute, path, rows))
    }),
  )
  const files: Record<string, LiveFile[]> = { ...before?.live.files }
  for (const { name } of added) files[name] = [...(files[name] ?? []), placed.get(name)!]
  const listedAlarms = [...new Set([...(before?.live.alarms ?? []), ...alarms])].slice(
    0,
    ALARMS_LISTED_MAX,
  )
  const live: LiveFacts = {
    minute,
    known_before_ms: knownBeforeMs,
    files,
    ...(listedAlarms.length > 0 && { alarms: listedAlarms }),
  }
  const revision = sha256(JSON.stringify(live)).slice(0, 16)
  const empty = { datasets: {}, ledger: {}, inputs: [], tape: {} }
  const head = { format: PUBLISHED_FORMAT, revision } as const
  const manifest: LiveManifest = { ...head, ...facts, ...empty, live }
  return withPublishLock(dataFolder, date, async () => {
    const latest = readLiveManifest(dataFolder, date)
    const published = findPublished(latest, draft)
    if (published) return published
    refuseRemoved(liveFolder(dataFolder), date, Object.values(files).flat())
    writeAtomically(manifestPath(dataFolder, date), `${JSON.stringify(manifest, null, 1)}\n`)
    return manifest
  })
}

/** Returns the latest state when the new one, or a later one, is published; null when it is next. */
function findPublished(
  latest: LiveManifest | null,
  { session_date: date, knownBeforeMs, replaces }: LiveDraft,
): LiveManifest | null {
  if (latest && latest.live.known_before_ms >= knownBeforeMs) return latest
  if ((latest?.revision ?? null) !== replaces) {
    throw new StateReplaced(`${date} was published anew meanwhile; run it again.`)
  }
  return null
}

/**
 * Removes files that a killed step placed but never named: with late data since, they are useless.
 */
function removeStrays(dataFolder: string, date: string, manifest: LiveManifest | null): void {
  const live = liveFolder(dataFolder)
  const named = new Set(
    Object.values(manifest?.live.files ?? {}).flatMap(each => each.map(readFileName)),
  )
  for (const file of globSync(`*/session=${date}/*.parquet`, { cwd: live })) {
    if (!named.has(file)) rmSync(join(live, file), { force: true })
  }
}

const readFileName = ({ file }: { readonly file: string }): string => file

/** The datasets that a step adds rows to, and how many. */
async function countStep(db: Database) {
  const tables = Object.entries(STEP_TABLES)
  // a row each: side by side they take the engine ten times as long to plan
  const counts = tables.map(
    ([name, table]) => `select '${name}' as name, count(*) as n from ${table}`,
  )
  const counted = await db.rows(counts.join(' union all '))
  const rowCounts = new Map(counted.map(({ name, n }) => [name, Number(n)]))
  return tables
    .map(([name, table]) => ({ name, table, rows: rowCounts.get(name)! }))
    .filter(({ rows }) => rows > 0)
}

/** Writes the rows that a step adds to a dataset. */
async function writeRows(db: Database, name: string, table: string, path: string): Promise<void> {
  // sorted: after a crash the next process has the rows in another order
  await writeParquet(db, { columns: stepColumns(name), from: `${table} order by all`, path })
}

async function storeFile(
  dataFolder: string,
  dataset: string,
  date: string,
  minute: string,
  path: string,
  rows: number,
): Promise<LiveFile> {
  const root = liveFolder(dataFolder)
  const { path: target, ...entry } = await storeByHash(path, {
    folder: join(root, dataset, `session=${date}`),
    prefix: `${minute.replace(':', '')}-`,
    extension: 'parquet',
  })
  return { file: relative(root, target), ...entry, rows }
}
