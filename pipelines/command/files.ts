/** `tapefold files`: the current files of a dataset, for engines other than DuckDB. */

import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import PQueue from 'p-queue'
import { systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { ownProcess } from '../../src/core/disk/process.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { dayReader } from '../../src/core/market/calendar.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { publishMonths } from '../../src/data/published/months.ts'
import {
  nothingPublished,
  warnNothingPublished,
} from '../../src/data/published/nothingPublished.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { catalogStatements, listDatasetFiles } from '../../src/data/published/views.ts'
import { manifestPath, namedFiles } from '../../src/platform/store/kinds.ts'
import type { Store } from '../../src/platform/store/mirror.ts'
import { blobName, type StoreAddress } from '../../src/platform/store/names.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import { ownEnvironment } from './command.ts'
import { fillRemoteCatalog } from './remoteCatalog.ts'
import type { FILES } from './rows.ts'
import { withRequiredStore } from './sharedStore.ts'

/** Manifests that are fetched at once. */
const FETCHED_AT_ONCE = 16

/** The addresses of a dataset's current files in a store, oldest session first. */
async function listStoredFiles(
  { blobs, pointers }: Store,
  { bucket, prefix }: StoreAddress,
  { name, dataFolder }: { readonly name: string; readonly dataFolder: string },
): Promise<string[]> {
  const published = (await pointers.listSince(0)).filter(({ kind }) => kind === 'published')
  const readText = async (pointer: Pointer) => {
    const path = manifestPath(dataFolder, pointer)
    const own = existsSync(path) ? readFileSync(path, 'utf8') : ''
    return sha256(own) === pointer.sha256 ? own : blobs.getText(pointer.object, pointer.sha256)
  }
  const files = await new PQueue({ concurrency: FETCHED_AT_ONCE }).addAll(
    published
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(pointer => async () => namedFiles(pointer, await readText(pointer))),
  )
  return files
    .flat()
    .filter(({ file }) => file.startsWith(`published/${name}/`))
    .map(file => `s3://${bucket}/${prefix}${blobName(file.sha256)}`)
}

/** Bytes 8 to 11 of each DuckDB file. */
const DUCKDB_MARK = 'DUCK'

/** Refuses to write over a file of another kind, and in a folder that is not there. */
function refuseTarget(path: string): void {
  const folder = dirname(path)
  if (!existsSync(folder)) throw new Refusal(`${path} cannot be written: there is no ${folder}.`)
  if (!existsSync(path)) return
  const isDuckdb =
    statSync(path).isFile() && readHead(path, 12).toString('latin1', 8) === DUCKDB_MARK
  if (isDuckdb) return
  throw new Refusal(
    `${path} is no DuckDB file and stays; give another name, such as catalog.duckdb.`,
  )
}

function readHead(path: string, length: number): Buffer {
  const head = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, length, 0)
  } finally {
    closeSync(file)
  }
  return head
}

/** Writes a DuckDB file of views; one that is there is replaced whole. */
async function writeCatalogFile(
  path: string,
  fill: (db: Database) => Promise<void>,
): Promise<void> {
  refuseTarget(path)
  const partial = `${path}.${ownProcess()}.partial`
  const db = await openDatabase()
  try {
    // the oldest format that has all of it: DuckDB 1.0 and newer read it
    await db.run(`attach '${partial.replaceAll("'", "''")}' as catalog (storage_version 'v1.0.0')`)
    await fill(db)
    await db.run('detach catalog')
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  } finally {
    db.close()
  }
  renameSync(partial, path)
}

/** Runs `tapefold files`. */
export async function filesCommand(input: Input<typeof FILES>): Promise<void> {
  const { words, data: dataFolder, catalog, url } = input
  const isOther = words.length > 0 || input.store
  if (catalog !== undefined) {
    if (isOther || input.months) {
      throw new UsageError('--catalog takes a file and nothing else, such as catalog.duckdb.')
    }
    const key = ownEnvironment().TAPEFOLD_DATASET_KEY ?? null
    await writeCatalogFile(catalog, async db => {
      if (url !== undefined) return fillRemoteCatalog(db, { url, key })
      for (const statement of catalogStatements(dataFolder)) await db.run(statement)
    })
    return void process.stdout.write(`wrote ${catalog}\n`)
  }
  if (input.months) {
    if (isOther) throw new UsageError('--months takes nothing but --data, such as --data data.')
    return writeMonths(dataFolder)
  }
  if (input.views) {
    if (isOther || url !== undefined) {
      throw new UsageError('--views takes nothing but --data, such as --data data.')
    }
    const nothing = nothingPublished(dataFolder)
    if (nothing !== null) throw new Refusal(nothing)
    await renewViews(dataFolder)
    return void process.stdout.write(`wrote ${join(dataFolder, 'published/views.sql')}\n`)
  }
  if (url !== undefined) throw new UsageError('--url goes with --catalog FILE alone.')
  const [name] = words
  if (name === undefined || !PUBLISHED_DATASETS.some(dataset => dataset.name === name)) {
    const what = name === undefined ? 'files takes a dataset' : `${name} is not a published dataset`
    throw new UsageError(`${what}; give one of "tapefold sql --help", such as orders.`)
  }
  const print = (files: readonly string[]) =>
    void process.stdout.write(files.map(file => `${file}\n`).join(''))
  if (!input.store) {
    warnNothingPublished(dataFolder)
    return print(listDatasetFiles(dataFolder, name))
  }
  await withRequiredStore(async (store, { address }) =>
    print(await listStoredFiles(store, address, { name, dataFolder })),
  )
}

async function writeMonths(dataFolder: string): Promise<void> {
  const today = dayReader()(systemClock.nowMs())
  const { written, unchanged, faults } = await publishMonths(dataFolder, today)
  const lines = [...written.map(key => `wrote ${key}`), `unchanged: ${unchanged}`]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (faults.length > 0) throw new Refusal(`${faults.join('; ')}.`)
}
