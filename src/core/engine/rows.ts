import type { RowLayout, Source, SourceColumn } from './header.ts'
/**
 * The rows of one vendor file as `import.rows`: named text columns, and the reason why a row is
 * broken.
 */

import { missingResource, NoRows, Refusal } from '../disk/refusal.ts'
import { REPLACEMENT } from '../disk/text.ts'
import { fittingColumns } from './columnTypes.ts'
import type { Database, Row } from './database.ts'
import { missingText, readHeader } from './header.ts'
import { filePath, formatList } from './paths.ts'
import { declaredParams, readSql } from './sql.ts'

export type RowShape = {
  /** Number of names in the header; 0 for Parquet. */
  readonly headerCount: number
  /** Number of them up to the last one that is read. */
  readonly readCount: number
}

/**
 * Makes `import.rows`: line_number, row_reason, cell_count, filled_count (without the empty cells
 * at the end), and the columns of the layout.
 */
export async function loadRows(db: Database, source: Source, layout: RowLayout): Promise<RowShape> {
  if (!source.columns) return loadCsvRows(db, source, layout)
  await loadParquetRows(db, source, layout, source.columns)
  return { headerCount: 0, readCount: 0 }
}

/** The columns of a Parquet file. */
export async function readColumns(
  db: Database,
  { path, label }: Pick<Source, 'path' | 'label'>,
): Promise<SourceColumn[]> {
  let described: Row[]
  try {
    described = await db.query('import/parquet_columns', { path: filePath(path) })
  } catch (error) {
    if (missingResource(error)) throw error
    throw new Refusal(`${label} is a damaged Parquet file: its footer cannot be read.`)
  }
  return described.map(({ name, type }) => ({ name: String(name), type: String(type) }))
}

/** Makes `import.broken_lines`: the text of the rows that `import.broken` numbers. */
export async function loadBrokenLines(db: Database, { path, columns }: Source): Promise<void> {
  const model = columns ? 'import/broken_parquet_lines' : 'import/broken_text_lines'
  await db.build(model, { path: filePath(path) }, 'import.broken_lines')
}

async function loadCsvRows(db: Database, source: Source, layout: RowLayout): Promise<RowShape> {
  const { label } = source
  const path = filePath(source.path)
  const { line, text, names, raw } = await readHeader(db, source, layout)
  await db.build('import/preamble', { path, header: line })
  const wanted = [...layout.required, ...(layout.optional ?? [])]
  const columns = wanted.map(name => {
    const at = names.indexOf(name)
    return at < 0 ? `null::varchar as "${name}"` : `nullif(cells[${at + 1}], '') as "${name}"`
  })
  const cells = readSql('import/cells')
  await db.refill(
    'import.rows',
    `select line_number, row_reason, cell_count, filled_count, ${columns.join(', ')}
     from (${cells})`,
    declaredParams(cells, {
      path,
      header: line,
      text,
      count: names.length,
      ragged: layout.isRagged ?? false,
      first: raw[0]!,
      names: formatList(raw),
      replacement: REPLACEMENT,
    }),
  )
  const [other] = await db.query('import/other_header')
  if (other!.line !== null) {
    throw new Refusal(
      `${label} has another header in line ${other!.line}, whose columns stand in another order ` +
        `than those of line ${line}; import the two parts as files of their own.`,
    )
  }
  if (await db.isEmpty('import.rows')) {
    throw new NoRows(`${label} holds no rows after its header.`)
  }
  const last = Math.max(...wanted.map(name => names.indexOf(name)))
  return { headerCount: names.length, readCount: last + 1 }
}

async function loadParquetRows(
  db: Database,
  { path, label }: Source,
  layout: RowLayout,
  found: readonly SourceColumn[],
): Promise<void> {
  const names = found.map(({ name }) => name)
  const lacking = layout.required.filter(name => !names.includes(name))
  if (lacking.length > 0)
    throw new Refusal(missingText(label, layout, [{ names, text: names.join(',') }]))
  const filled = fittingColumns(label, layout, found)
  const columns = [...layout.required, ...(layout.optional ?? [])].map(name =>
    filled.includes(name) ? `"${name}"` : `null::varchar as "${name}"`,
  )
  const rows = (file: string) =>
    `select
       file_row_number + 1 as line_number, null::varchar as row_reason, null::bigint as cell_count,
       null::bigint as filled_count,
       ${columns.join(', ')}
     from read_parquet(${file}, file_row_number = true, hive_partitioning = false)`
  // plans that read a file are not cached: later statements read a table
  if (db.cachesPlans) await db.refill('import.rows', rows('$path'), { path: filePath(path) })
  else {
    // a view, so that only requested columns are read; views take no parameters
    await db.run('set variable source_path = $path', { path: filePath(path) })
    await db.run(`create or replace view import.rows as ${rows("getvariable('source_path')")}`)
  }
  if (await db.isEmpty('import.rows')) throw new Refusal(`${label} holds no rows.`)
}
