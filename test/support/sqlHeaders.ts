/**
 * The headers of SQL files, compared with what their queries say. A model is one SELECT under
 *
 *     -- folder.name: what its rows are.
 *     -- grain: what one row is
 *     -- kind: view
 *     -- reads: schema.table, ...
 *     -- param: name, ...
 *
 * Only a view has a kind: a model that is read once, and that nobody holds.
 *
 * An audit says in its first sentence what would be lost. `reads` has every table, sorted; one of
 * another's making, such as a published dataset, stands there without a schema; files that are
 * named by a parameter are one entry, such as "the files of tape.prints". A file of macros has no
 * grain: it begins with what they are for, and has `reads` where they read tables by name.
 */

import { globSync, readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { STAGES } from '../../src/core/engine/database.ts'

/** Folders that are no stage, and whose tables their models may read. */
const OTHER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  import: ['import'],
  live: [...STAGES, 'live'],
  views: STAGES,
  audit: STAGES,
  alerts: STAGES,
  lab: ['lab'],
  geo: ['geo'],
  simulate: ['tape', 'simulate'],
  measure: [...STAGES, 'measure'],
}

/**
 * Folders that the product runs its SQL from; a file elsewhere of them is found, and has a
 * fault.
 */
const SQL_FILES = '{sql,src,pipelines}/**/*.sql'

/** The text of every SQL file, by its path. */
export const readSqlFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync(SQL_FILES)
      .sort()
      .map(file => [file, readFileSync(file, 'utf8')]),
  )

/** SQL files that no header check holds: those of no folder of `sql`, and those that fail it. */
export const findUncheckedHeaders = async (
  texts: Readonly<Record<string, string>>,
): Promise<readonly string[]> => Object.keys(await findHeaderFaults(texts))

/** Faults of the headers of SQL files, by file; a file without a fault is not there. */
export async function findHeaderFaults(
  texts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const parse = async (text: string) => {
    const query = 'select json_serialize_sql($text::varchar)'
    const reader = await connection.runAndReadAll(query, { text })
    return JSON.parse(String(reader.getRows()[0]![0])) as Parsed
  }
  try {
    const found: Record<string, readonly string[]> = {}
    for (const [file, text] of Object.entries(texts)) {
      const faults = isMacros(text) ? macroFaults(text) : modelFaults(file, text, await parse(text))
      if (faults.length > 0) found[file] = faults
    }
    return found
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

type Parsed = {
  readonly error: boolean
  readonly error_message?: string
  readonly statements?: readonly unknown[]
}

const findCode = (text: string) => text.replace(/--.*$/gm, '')

const isMacros = (text: string) => /^\s*create or replace macro /.test(findCode(text))

/** The items of a line of the header, or null where there is no such line. */
function findHeader(text: string, key: string): string[] | null {
  const [comment] = /^(--.*\n)*/.exec(text)!
  const line = comment.match(`(?<=\n-- ${key}:).*`)?.[0].trim()
  if (line === undefined) return null
  return line === '' ? [] : line.split(', ')
}

function modelFaults(file: string, text: string, parsed: Parsed): string[] {
  if (parsed.error) return [String(parsed.error_message)]
  const [, folder = '', name] = /^sql\/(\w+)\/(\w+)\.sql$/.exec(file) ?? []
  if (!isFolder(folder)) return ['does not lie in a folder of sql that holds models']
  const faults: string[] = []
  if (parsed.statements?.length !== 1) faults.push('is not one statement')
  if (!text.startsWith(`-- ${folder}.${name}: `)) faults.push('does not begin with its name')
  if (!findHeader(text, 'grain')?.length) faults.push('has no grain')
  const kind = findHeader(text, 'kind')
  if (kind && kind.join() !== 'view') faults.push('is of a kind that is not "view"')

  const params = [...new Set(findCode(text).match(/(?<=\$)[a-z_]+/g))].sort()
  faults.push(...difference('param', findHeader(text, 'param') ?? [], params))
  const { tables, readsFiles } = listTables(parsed)
  const reads = findHeader(text, 'reads')
  const isOfFiles = (item: string) => item.startsWith('the files of ')
  if (reads === null) faults.push('has no line of what it reads')
  if (reads && reads.some(isOfFiles) !== readsFiles) {
    faults.push(readsFiles ? 'does not say what files it reads' : 'reads no files')
  }
  faults.push(...difference('reads', reads?.filter(item => !isOfFiles(item)) ?? [], tables))
  for (const table of tables.filter(one => !mayRead(folder, one))) {
    faults.push(`${table} is not of an earlier stage`)
  }
  return faults
}

function macroFaults(text: string): string[] {
  const faults: string[] = []
  if (!text.startsWith('-- ')) faults.push('does not begin with what it is for')
  const statements = findCode(text)
    .replaceAll(/'[^']*'/g, '')
    .split(';')
  const isMacro = (one: string) => /^\s*(create or replace macro |$)/.test(one)
  if (!statements.every(isMacro)) faults.push('has what is no macro')
  const named = findCode(text).match(/(?<=\b(from|join)\s+)[a-z]+\.[a-z_]+/g)
  faults.push(...difference('reads', findHeader(text, 'reads') ?? [], [...new Set(named)].sort()))
  return faults
}

function difference(key: string, text: readonly string[], found: readonly string[]): string[] {
  if (text.join(', ') === found.join(', ')) return []
  return [`says "${key}: ${text.join(', ')}", which is "${found.join(', ')}"`]
}

const isFolder = (folder: string) => folder in OTHER_FOLDERS || STAGES.some(one => one === folder)

function mayRead(folder: string, table: string): boolean {
  const [schema, name] = table.split('.') as [string, string | undefined]
  if (name === undefined) return folder === 'views'
  const stages: readonly string[] = STAGES
  const readable = OTHER_FOLDERS[folder] ?? stages.slice(0, stages.indexOf(folder) + 1)
  return readable.includes(schema)
}

/** Inputs of a query: tables that are none of its own parts, and whether it opens files. */
function listTables(parsed: Parsed): { readonly tables: string[]; readonly readsFiles: boolean } {
  const tables = new Set<string>()
  const own = new Set<string>()
  let readsFiles = false
  JSON.stringify(parsed, (key, node) => {
    if (key === 'cte_map') for (const entry of node?.map ?? []) own.add(entry.key)
    if (node?.type === 'BASE_TABLE') {
      tables.add([node.schema_name, node.table_name].filter(Boolean).join('.'))
    }
    if (node?.type === 'TABLE_FUNCTION') {
      readsFiles ||= /^(read_|parquet_|glob$|text_lines$)/.test(node.function?.function_name)
    }
    return node
  })
  return { tables: [...tables].filter(table => !own.has(table)).sort(), readsFiles }
}
