import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sha256, storeByHash, writeAtomically } from '../../core/disk/files.ts'
import { lockPath, withLock } from '../../core/disk/lock.ts'
import { withWorkFolder } from '../../core/disk/work.ts'
import { forEachConcurrently } from '../../core/engine/concurrent.ts'
import type { Database } from '../../core/engine/database.ts'
import { columnTypes, type Dataset, modelColumns } from '../dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../dictionary/dictionary.ts'
import { RESTATEMENTS } from '../dictionary/editionDatasets.ts'
import { fileMetadata } from '../dictionary/units.ts'
import { linkSession, linkSessions } from './current.ts'
import { type EditionBefore, nextEdition, readEditionBefore } from './editions.ts'
import {
  type LedgerFileEntry,
  PUBLISHED_FORMAT,
  type PublishedFile,
  type PublishedManifest,
  publishedFiles,
  publishedFolder,
  readManifest,
  refuseNewer,
  replaceManifest,
  withPublishLock,
} from './manifest.ts'
import { writeParquet } from './parquet.ts'
import { fillRestatements, type Later } from './restatements.ts'
import { writeViews } from './views.ts'

/** Far longer than the views take to be written. */
const LOCK_WAIT_MS = 60_000

/** One rendered form of the ledger: its bytes, its file extension, its validator. */
export type PublishedForm = {
  readonly data: Uint8Array
  readonly extension: string
  readonly etag: string
}

/** Content of the manifest other than the files, which the publisher adds. */
export type Draft = Pick<
  PublishedManifest,
  | 'session_date'
  | 'symbol'
  | 'simulated'
  | 'asof'
  | 'code_version'
  | 'min_premium_usd'
  | 'minutes'
  | 'inputs'
  | 'tape'
  | 'tape_newest'
  | 'tape_grade'
  | 'summary'
  | 'grades'
> & {
  /** Still being rendered while the datasets are written. */
  readonly forms: Promise<Readonly<Record<string, PublishedForm>>>
  /** Renders the session for the archive, once its revision is known. */
  readonly archive?: (revision: string) => Promise<Readonly<Record<string, PublishedForm>>>
  /** Time of the publication, UTC milliseconds; read when the files are written. */
  readonly nowMs: () => number
}

/**
 * Publishes the `ledger` schema of a build: every dataset as one new immutable file, then the
 * manifest that names them. A crash before the manifest leaves files that no reader knows of.
 * `replaces` is the manifest's version when the build began: fails with a Refusal when the session
 * was published since.
 */
export async function publishSession(
  db: Database,
  dataFolder: string,
  draft: Draft,
  replaces: string | null,
): Promise<PublishedManifest> {
  refuseNewer(dataFolder)
  const manifest = await storeSession(db, dataFolder, draft, replaces)
  await renewViews(dataFolder)
  return manifest
}

/** Datasets of a session that does not have all of them. */
type DatasetChoice = { readonly datasets?: readonly Dataset[] }

/** Publishes one of many sessions: the caller checks for newer versions and renews the views. */
export async function storeSession(
  db: Database,
  dataFolder: string,
  { datasets: wanted = PUBLISHED_DATASETS, ...draft }: Draft & DatasetChoice,
  replaces: string | null,
): Promise<PublishedManifest> {
  const date = draft.session_date
  return leavingNothing(dataFolder, date, async publishing => {
    const { forms, archive: render, nowMs, ...facts } = draft
    const before = readEditionBefore(dataFolder, date)
    const built = wanted.filter(({ name }) => name !== RESTATEMENTS)
    const written = await writePublished(db, publishing, built)
    const ledger = await storeForms(publishing, 'ledger', await forms)
    const revision = computeRevision({ datasets: written, ledger })
    const edition = nextEdition(before, revision, nowMs())
    const later = { ...facts, ...edition, revision, datasets: written }
    const hasHistory = built.length < wanted.length
    const history = hasHistory && (await writeHistory(db, publishing, { before, later }))
    const datasets = { ...written, ...history }
    const archive = render && (await storeForms(publishing, 'archive', await render(revision)))
    const files = { datasets, ledger, ...(archive && { archive }) }
    const head = { format: PUBLISHED_FORMAT, revision, ...edition } as const
    const manifest: PublishedManifest = { ...head, ...facts, ...files }
    await replaceManifest(dataFolder, manifest, replaces, linkSession)
    return manifest
  })
}

/** A publish of a session that has begun. */
type Publishing = {
  readonly dataFolder: string
  readonly date: string
  /** Folder of files that are not finished. */
  readonly work: string
  /** Paths of the files that it has added to the published ones. */
  readonly placed: string[]
}

/**
 * Runs a publish with a work folder. When it fails, such as on a full disk, the files that it added and
 * no manifest names are removed again; those of another publisher stay.
 */
async function leavingNothing<T>(
  dataFolder: string,
  date: string,
  publish: (publishing: Publishing) => Promise<T>,
): Promise<T> {
  const placed: string[] = []
  try {
    return await withWorkFolder(dataFolder, `publish-${date}`, work =>
      publish({ dataFolder, date, work, placed }),
    )
  } catch (error) {
    // what cannot be removed now, `collect` removes
    await withPublishLock(dataFolder, date, async () => {
      const manifest = readManifest(dataFolder, date)
      const files = manifest === null ? [] : publishedFiles(manifest)
      const named = new Set(files.map(({ file }) => join(publishedFolder(dataFolder), file)))
      for (const path of placed) if (!named.has(path)) rmSync(path, { force: true })
    }).catch(() => {})
    throw error
  }
}

/** Datasets to add to the published ones, or to replace. */
type Additions = {
  /** Version of the published manifest that they are added to. */
  readonly replaces: string | null
  readonly names: readonly string[]
  /** Inputs of the session from now on. */
  readonly inputs: PublishedManifest['inputs']
  /** The code that made them. */
  readonly codeVersion: string
  /** Sums of the grades, where these are added. */
  readonly grades?: PublishedManifest['grades']
  /** Time of the publication, UTC milliseconds. */
  readonly atMs: number
  /** Renders the archive, given the manifest as it will be. */
  readonly archive?: (manifest: PublishedManifest) => Promise<Pick<Draft, 'summary'> & Rendered>
}
type Rendered = { readonly forms: Awaited<Draft['forms']> }

/**
 * Adds datasets of the `ledger` schema to a published session: all other files stay as they are,
 * and a manifest with another revision names them and the new ones. Its archive, which names the
 * revision, is rendered again, or left out. Fails with a Refusal when the session was published
 * since. The caller renews the views.
 */
export async function addDatasets(
  db: Database,
  dataFolder: string,
  before: PublishedManifest,
  { replaces, names, inputs, codeVersion, grades, atMs, archive: render }: Additions,
): Promise<PublishedManifest> {
  const date = before.session_date
  return leavingNothing(dataFolder, date, async publishing => {
    const wanted = PUBLISHED_DATASETS.filter(({ name }) => names.includes(name))
    const written = await writePublished(db, publishing, wanted)
    const merged = { ...before.datasets, ...written }
    const revision = computeRevision({ datasets: inTheirOrder(merged), ledger: before.ledger })
    const added = {
      ...before.added,
      ...Object.fromEntries(names.map(name => [name, codeVersion])),
    }
    const addedDatasets = names.length > 0 ? { added } : {}
    const known = { kind: 'known', manifest: before } as const
    const edition = nextEdition(known, revision, atMs)
    const later = { ...before, ...edition, revision, inputs, datasets: merged }
    const history = await writeHistory(db, publishing, { before: known, later })
    const datasets = inTheirOrder({ ...merged, ...history })
    const { archive: _, published_at: __, edition: ___, ...same } = before
    const head = { ...same, format: PUBLISHED_FORMAT, revision } as const
    const rest = { ...head, ...edition, datasets, inputs, ...addedDatasets }
    const { forms, ...facts } = (await render?.(rest)) ?? {}
    const archive = forms && { archive: await storeForms(publishing, 'archive', forms) }
    const manifest: PublishedManifest = { ...rest, ...facts, ...(grades && { grades }), ...archive }
    await replaceManifest(dataFolder, manifest, replaces, linkSession)
    return manifest
  })
}

type History = {
  readonly before: EditionBefore
  readonly later: Later
}

/** Writes the restatements of a session, up to the edition that is about to be published. */
async function writeHistory(
  db: Database,
  publishing: Publishing,
  { before, later }: History,
): Promise<PublishedManifest['datasets']> {
  await fillRestatements(db, publishing.dataFolder, before, later)
  const own = PUBLISHED_DATASETS.filter(({ name }) => name === RESTATEMENTS)
  return writePublished(db, publishing, own)
}

/** Datasets in the order of the dictionary, so that equal files make equal revisions. */
function inTheirOrder(datasets: PublishedManifest['datasets']): PublishedManifest['datasets'] {
  const position = (name: string) => {
    const index = PUBLISHED_DATASETS.findIndex(dataset => dataset.name === name)
    return index < 0 ? PUBLISHED_DATASETS.length : index
  }
  return Object.fromEntries(
    Object.entries(datasets).sort(([one], [other]) => position(one) - position(other)),
  )
}

/** Writes datasets of a build into the published folder. */
const writePublished = (db: Database, publishing: Publishing, datasets: readonly Dataset[]) =>
  writeDatasets(
    db,
    publishing.work,
    async ({ name }, path, rows) => ({
      ...(await storeFile(publishing, name, path, 'parquet')),
      rows,
    }),
    datasets,
  )

/**
 * Rewrites `published/views.sql` and links what is not linked; of two processes at once, the later
 * sees the work of both.
 */
export function renewViews(dataFolder: string): Promise<void> {
  const path = lockPath(dataFolder, 'views')
  const busy = 'Another process writes published/views.sql; run it again.'
  const renew = async () => {
    writeViews(dataFolder)
    await linkSessions(dataFolder, (date, work) => withPublishLock(dataFolder, date, work))
  }
  return withLock(path, busy, renew, LOCK_WAIT_MS)
}

async function storeForms(
  publishing: Publishing,
  folder: 'ledger' | 'archive',
  forms: Awaited<Draft['forms']>,
): Promise<PublishedManifest['ledger']> {
  const stored: Record<string, LedgerFileEntry> = {}
  for (const [name, { data, extension, etag }] of Object.entries(forms)) {
    const path = join(publishing.work, `${folder}.${extension}.tmp`)
    writeAtomically(path, data)
    stored[name] = { ...(await storeFile(publishing, folder, path, extension)), etag }
  }
  return stored
}

/** Datasets that take longest to write: begun first, so that none of them is left alone. */
const LARGEST = ['orders', 'prints', 'legs', 'order_prints']

/**
 * Writes every dataset of a build into a folder, two at a time, and hands each file to `take`.
 * Returns the results of `take` by the dataset's name, in the order of the datasets.
 */
export async function writeDatasets<Taken>(
  db: Database,
  folder: string,
  take: (dataset: Dataset, path: string, rows: number) => Promise<Taken>,
  wanted: readonly Dataset[] = PUBLISHED_DATASETS,
): Promise<Record<string, Taken>> {
  const isLarge = ({ name }: Dataset) => LARGEST.includes(name)
  const queue = [
    ...wanted.filter(isLarge).sort(byLargestFirst),
    ...wanted.filter(dataset => !isLarge(dataset)),
  ]
  const taken = new Map<string, Taken>()
  // one thread a file: row groups then start at the same rows in every run, so equal rows, equal
  // bytes
  await db.run('set threads = 1')
  try {
    await forEachConcurrently(db, queue, async (dataset, connection) => {
      await refuseOtherColumns(connection, dataset)
      const path = join(folder, `${dataset.name}.parquet.tmp`)
      const rows = await writeParquet(connection, {
        columns: dataset.columns,
        from: `ledger.${dataset.name}`,
        path,
        metadata: fileMetadata(dataset),
      })
      taken.set(dataset.name, await take(dataset, path, rows))
    })
  } finally {
    await db.run('reset threads')
  }
  return Object.fromEntries(wanted.map(({ name }) => [name, taken.get(name)!]))
}

const byLargestFirst = (a: Dataset, b: Dataset) => LARGEST.indexOf(a.name) - LARGEST.indexOf(b.name)

async function refuseOtherColumns(db: Database, dataset: Dataset): Promise<void> {
  const built = await db.query('views/ledger_columns', { table: dataset.name })
  const wanted = columnTypes(modelColumns(dataset.columns))
  const added = dataset.columns.filter(({ instantOf }) => instantOf !== undefined)
  // a table that was filled from files has the added columns too: they are written again
  const found = built
    .filter(({ name }) => added.every(column => column.name !== name))
    .map(({ name, type }) => `${name} ${type}`)
    .join(', ')
  if (found !== wanted) {
    throw new Error(`dataset ${dataset.name} has columns (${found}), promised are (${wanted})`)
  }
}

/** Moves a finished file to the published ones of its dataset. */
async function storeFile(
  { dataFolder, date, placed }: Publishing,
  dataset: string,
  path: string,
  extension: string,
): Promise<PublishedFile> {
  const root = publishedFolder(dataFolder)
  const folder = join(root, dataset, `session=${date}`)
  const { path: target, ...entry } = await storeByHash(path, { folder, extension, placed })
  return { file: relative(root, target), ...entry }
}

/** The name of a version: a hash of the hashes of its files, without the record of its editions. */
export function computeRevision({
  datasets,
  ledger,
}: Pick<PublishedManifest, 'datasets' | 'ledger'>): string {
  const { [RESTATEMENTS]: _, ...content } = datasets
  const files = [...Object.values(content), ...Object.values(ledger)]
  return sha256(files.map(file => file.sha256).join('\n')).slice(0, 16)
}
