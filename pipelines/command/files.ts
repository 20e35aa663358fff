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
import { readArguments, UsageError } from '../../src/core/command.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { ownProcess } from '../../src/core/disk/process.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { dayReader } from '../../src/core/market/calendar.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { publishMonths } from '../../src/data/published/months.ts'
import { nothingPublished } from '../../src/data/published/nothingPublished.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { catalogStatements, listDatasetFiles } from '../../src/data/published/views.ts'
import { manifestPath, namedFiles } from '../../src/platform/store/kinds.ts'
import type { Store } from '../../src/platform/store/mirror.ts'
import { blobName, type StoreAddress } from '../../src/platform/store/names.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import { environmentConfig, ownEnvironment, runCommand } from './command.ts'
import { fillRemoteCatalog } from './remoteCatalog.ts'
import { withSharedStore } from './sharedStore.ts'

const USAGE = `usage: tapefold files DATASET [--store] [--data DIR]
       tapefold files --catalog FILE [--data DIR | --url URL]
       tapefold files --months [--data DIR]
       tapefold files --views [--data DIR]

Prints the addresses of a dataset's current files, one a line, oldest session first, for any engine
that reads Parquet. A pattern such as orders/*/*.parquet also matches files that were replaced, and
would count their rows twice; published/current/*/orders.*.parquet does not. The datasets are those
of "tapefold sql --help".

  --store         prints their addresses in the store of TAPEFOLD_STORE, of all sessions in it
  --catalog FILE  writes a DuckDB file instead, to attach: each dataset as a view over its current
                  files, and those of replaced editions that are still there in schemas of their own
  --url URL       views over the files of a server instead, such as https://host/snapshots/; the list
                  is read with the key in TAPEFOLD_DATASET_KEY, which is not written to the file
  --months        writes the months of orders and levels whose finished sessions have changed:
                  published/months/*/levels.*.parquet finds each once; schedule does it each night
  --views         writes published/views.sql anew: after a move of the folder, or where a container
                  wrote it, whose files the views look for where they were
`

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

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        store: { type: 'boolean', default: false },
        catalog: { type: 'string' },
        months: { type: 'boolean', default: false },
        views: { type: 'boolean', default: false },
        url: { type: 'string' },
      },
    })
    if (values.catalog !== undefined) {
      if (positionals.length > 0 || values.store || values.months) {
        throw new UsageError('--catalog takes a file and nothing else, such as catalog.duckdb.')
      }
      const { url, data } = values
      const key = ownEnvironment().TAPEFOLD_DATASET_KEY ?? null
      await writeCatalogFile(values.catalog, async db => {
        if (url !== undefined) return fillRemoteCatalog(db, { url, key })
        for (const statement of catalogStatements(data)) await db.run(statement)
      })
      return void process.stdout.write(`wrote ${values.catalog}\n`)
    }
    if (values.months) {
      if (positionals.length > 0 || values.store || values.catalog !== undefined) {
        throw new UsageError('--months takes nothing but --data, such as --data data.')
      }
      const today = dayReader()(systemClock.nowMs())
      const { written, unchanged, faults } = await publishMonths(values.data, today)
      const lines = [...written.map(key => `wrote ${key}`), `unchanged: ${unchanged}`]
      process.stdout.write(`${lines.join('\n')}\n`)
      if (faults.length > 0) throw new Refusal(`${faults.join('; ')}.`)
      return
    }
    if (values.views) {
      if (positionals.length > 0 || values.store || values.url !== undefined) {
        throw new UsageError('--views takes nothing but --data, such as --data data.')
      }
      const nothing = nothingPublished(values.data)
      if (nothing !== null) throw new Refusal(nothing)
      await renewViews(values.data)
      return void process.stdout.write(`wrote ${join(values.data, 'published/views.sql')}\n`)
    }
    if (values.url !== undefined) throw new UsageError('--url goes with --catalog FILE alone.')
    const [name = ''] = positionals
    if (positionals.length !== 1 || !PUBLISHED_DATASETS.some(dataset => dataset.name === name)) {
      const given = positionals.join(' ')
      const what = given === '' ? 'files takes a dataset' : `${given} is not a published dataset`
      throw new UsageError(`${what}; give one of "tapefold sql --help", such as orders.`)
    }
    const dataFolder = values.data
    const print = (files: readonly string[]) =>
      void process.stdout.write(files.map(file => `${file}\n`).join(''))
    if (!values.store) {
      const nothing = nothingPublished(dataFolder)
      if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
      return print(listDatasetFiles(dataFolder, name))
    }
    const { store: settings } = environmentConfig()
    await withSharedStore(async store => {
      if (store === null || settings === null) {
        throw new Refusal(
          'there is no store; set TAPEFOLD_STORE, such as s3://bucket/prefix, and DATABASE_URL.',
        )
      }
      print(await listStoredFiles(store, settings.address, { name, dataFolder }))
    })
  })
}
