import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { writeAtomically } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { shown } from '../../core/disk/text.ts'
import type { Database } from '../../core/engine/database.ts'
import { filePath } from '../../core/engine/paths.ts'
import { columnCasts, type Dataset, parquetOptions } from '../dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../dictionary/dictionary.ts'
import {
  type PublishedManifest,
  publishedFiles,
  publishedFolder,
  publishedSessions,
  readManifest,
  supersededManifests,
} from './manifest.ts'

/**
 * Makes each published dataset a view over its current files. Their list is in a variable, which a
 * query reads that names the view: the files of all others are left alone. A condition on
 * `session_date` leaves out files by their folders, before one is opened.
 */
export async function makeViews(db: Database, dataFolder: string): Promise<void> {
  const folder = filePath(publishedFolder(dataFolder))
  const manifests = readManifests(dataFolder)
  for (const { name, columns } of PUBLISHED_DATASETS) {
    const files = listFileNames(manifests, name)
    if (files.length === 0) {
      await db.run(
        `create view ${name} as select ${columnCasts(columns, () => 'null')} where false`,
      )
      continue
    }
    const names = columns.map(column => column.name).join(', ')
    // names of files have no space, and one text of them is faster than a list
    const setFiles = (list: readonly string[]) =>
      db.run(
        `set variable files_of_${name} =
           list_transform(string_split($list, ' '), file -> $folder || file)`,
        { folder: `${folder}${sep}`, list: list.join(' ') },
      )
    // a view is checked when it is made: by its first file
    await setFiles(files.slice(0, 1))
    await db.run(
      `create view ${name} as select ${names}
       from read_parquet(getvariable('files_of_${name}'), filename = true, ${parquetOptions(columns)})
       where session_date = regexp_extract(filename, '/session=([^/]+)/[^/]+$', 1)::date`,
    )
    await setFiles(files)
  }
}

/**
 * The statements that make each dataset a view over the files of some manifests: a glob would also
 * match superseded versions.
 */
export function statementsOver(
  dataFolder: string,
  manifests: readonly PublishedManifest[],
): string[] {
  // names of files have no character that makes a pattern
  const folder = filePath(publishedFolder(dataFolder))
  return viewsOver(PUBLISHED_DATASETS, name => listFiles(folder, manifests, name))
}

/** Paths of the current files of a dataset, oldest session first. */
export const listDatasetFiles = (dataFolder: string, name: string): string[] =>
  listFiles(resolve(publishedFolder(dataFolder)), readManifests(dataFolder), name)

const listFiles = (
  folder: string,
  manifests: readonly PublishedManifest[],
  name: string,
): string[] => listFileNames(manifests, name).map(file => `${folder}${sep}${file}`)

/** Names of the files of a dataset below the published folder. */
const listFileNames = (manifests: readonly PublishedManifest[], name: string): string[] =>
  manifests.flatMap(({ datasets }) => datasets[name]?.file ?? [])

const readManifests = (dataFolder: string): PublishedManifest[] =>
  publishedSessions(dataFolder).map(date => readManifest(dataFolder, date)!)

/** The statements that make each dataset a view over its files, which may be addresses. */
export function viewsOver(
  datasets: readonly Dataset[],
  filesByName: (name: string) => readonly string[],
): string[] {
  return datasets.map(({ name, columns }) => {
    // files of older code lack the columns that came later: all are there, with nulls
    const empty = columnCasts(columns, () => 'null')
    const start = `create or replace view ${name} as select ${empty} where false`
    const files = filesByName(name)
    if (files.length === 0) return `${start};`
    const list = files.map(file => `'${file.replaceAll("'", "''")}'`).join(',\n    ')
    return (
      `${start}\n  union all by name select * from read_parquet([\n    ${list}\n], ` +
      'hive_partitioning = false, union_by_name = true);'
    )
  })
}

/** Lists the first of those with the same key: content may come back after other content. */
const uniqueBy = <Value>(values: readonly Value[], key: (value: Value) => string): Value[] => [
  ...new Map(values.toReversed().map(value => [key(value), value])).values(),
]

/**
 * The statement that makes a dataset a view over files below an address, which the variable
 * `tapefold_url` replaces. A view is checked when it is made: then the variable `tapefold_stub` is a
 * list of a file with its columns.
 */
export function remoteView(dataset: Dataset, base: string, files: readonly string[]): string {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const start = `coalesce(getvariable('tapefold_url'), ${text(base)})`
  const list = files.map(file => `${start} || ${text(file)}`).join(',\n    ')
  const empty = columnCasts(dataset.columns, () => 'null')
  const rows = `select ${empty} where false`
  if (files.length === 0) return `create view ${dataset.name} as ${rows};`
  return (
    `create view ${dataset.name} as ${rows}\n  union all by name select * from read_parquet(\n` +
    `    coalesce(getvariable('tapefold_stub'), [${list}]), ` +
    'hive_partitioning = false, union_by_name = true);'
  )
}

/** Schema of a superseded edition in a catalogue. */
const editionSchema = (manifest: PublishedManifest): string =>
  `edition_${manifest.session_date.replaceAll('-', '')}_${manifest.revision}`

/**
 * The statements that fill an attached database `catalog`: each dataset as a view over its current
 * files, those of each superseded edition in a schema of its own, and a table `editions` of both.
 */
export function catalogStatements(dataFolder: string): string[] {
  const folder = filePath(publishedFolder(dataFolder))
  const current = readManifests(dataFolder)
  const superseded = current.flatMap(({ session_date: date }) =>
    uniqueBy(
      supersededManifests(dataFolder, date).map(({ manifest }) => manifest),
      editionSchema,
    )
      // files are deleted a day after they were replaced
      .filter(manifest =>
        publishedFiles(manifest).every(({ file }) => existsSync(`${folder}${sep}${file}`)),
      ),
  )
  const views = (manifests: readonly PublishedManifest[]) =>
    viewsOver(PUBLISHED_DATASETS, name => listFiles(folder, manifests, name))
  const rows = [
    ...current.map(manifest => editionRow(manifest, 'main')),
    ...superseded.map(manifest => editionRow(manifest, editionSchema(manifest))),
  ]
  return [
    'use catalog',
    ...views(current),
    ...superseded.flatMap(manifest => [
      `create schema catalog.${editionSchema(manifest)}`,
      `use catalog.${editionSchema(manifest)}`,
      ...views([manifest]),
    ]),
    `create table catalog.main.editions (
      session_date date, revision varchar, schema_name varchar, is_current boolean,
      simulated boolean, known_until varchar)`,
    ...(rows.length === 0 ? [] : [`insert into catalog.main.editions values ${rows.join(', ')}`]),
    'use memory',
  ]
}

const editionRow = (
  { session_date: date, revision, simulated, asof }: PublishedManifest,
  schema: string,
): string =>
  `('${date}', '${revision}', '${schema}', ${schema === 'main'}, ${simulated}, '${asof}')`

/** The statement that makes one file a view, with the columns that the file has. */
export const viewOverFile = (name: string, file: string): string =>
  `create or replace view ${name} as select * from read_parquet('${file.replaceAll("'", "''")}', hive_partitioning = false);`

/**
 * Writes `published/views.sql`: `duckdb -init` of it, from any folder, gives the datasets by name.
 * DuckDB finds paths from where it was started, so they are whole: of a folder that has moved since
 * they are wrong, and the first lines of the file say what to do. A session whose manifest is damaged is left out: it must not stop another from being published.
 */
export function writeViews(dataFolder: string): void {
  const manifests = publishedSessions(dataFolder).flatMap(date => {
    try {
      return readManifest(dataFolder, date)!
    } catch (error) {
      if (error instanceof Refusal) return []
      throw error
    }
  })
  const folder = publishedFolder(dataFolder)
  const lines = [
    `-- Views over the files of ${shown(filePath(folder))}. After a move of the folder, or on another`,
    '-- machine, write this file anew: tapefold files --views --data DIR, with the data folder as DIR.',
    ...statementsOver(dataFolder, manifests),
  ]
  writeAtomically(join(folder, 'views.sql'), `${lines.join('\n')}\n`)
}
