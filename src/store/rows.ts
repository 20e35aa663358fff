/** The rows of one vendor file as `import.rows`: named text columns, and why a row is broken. */

import type { Database, Row } from './duck.ts'
import { lackOf, NoRows, Refusal } from './refusal.ts'
import { REPLACEMENT } from './text.ts'

export type RowLayout = {
  /** Columns a file must have, by the names of their header. */
  readonly required: readonly string[]
  /** Columns that are null where a file does not have them. */
  readonly optional?: readonly string[]
  /** A header may say a name twice; the second becomes `name_2`. Otherwise that is refused. */
  readonly mayRepeat?: boolean
  /** Rows may be longer or shorter than the header: the format's own SQL judges them. */
  readonly isRagged?: boolean
}

export type Source = {
  /** The file as the user typed it. */
  readonly label: string
  /** A file `writeLines` made, or the Parquet file itself. */
  readonly path: string
  /** The columns of a Parquet file; null for lines of text, whose cells are text. */
  readonly columns: readonly SourceColumn[] | null
}

export type SourceColumn = {
  readonly name: string
  /** All that the file says of its type. */
  readonly type: string
}

/** Lines in which a header is looked for. */
const HEADER_LINES_MAX = 20
const LINE_LENGTH_MAX = 10_000

const LINES = `read_csv(
  $path, columns = {'line': 'varchar'}, delim = '', quote = '', escape = '', header = false,
  auto_detect = false, strict_mode = false, max_line_size = 8388608
)`

/**
 * Makes `import.rows` (line_number, row_reason, cell_count, and the columns of the layout) and
 * returns how many names the header has.
 */
export async function loadRows(
  db: Database,
  source: Source,
  layout: RowLayout,
): Promise<{ headerCount: number }> {
  if (!source.columns) return { headerCount: await loadCsvRows(db, source, layout) }
  const names = source.columns.map(({ name }) => name)
  await loadParquetRows(db, source, layout, names)
  return { headerCount: 0 }
}

/** The columns of a Parquet file. */
export async function readColumns(
  db: Database,
  { path, label }: Pick<Source, 'path' | 'label'>,
): Promise<SourceColumn[]> {
  let described: Row[]
  try {
    described = await db.rows(
      `select name, concat_ws(' ', type, type_length, converted_type, logical_type) as type
       from parquet_schema($path) where type is not null`,
      { path },
    )
  } catch (error) {
    if (lackOf(error)) throw error
    throw new Refusal(`${label} is a damaged Parquet file: its footer cannot be read.`)
  }
  return described.map(({ name, type }) => ({ name: String(name), type: String(type) }))
}

/** Makes `import.broken_lines`: the text of the rows that `import.broken` numbers. */
export async function loadBrokenLines(db: Database, { path, columns }: Source): Promise<void> {
  const lines = columns
    ? `select file_row_number + 1 as line_number, to_json(file_row)::varchar as line
       from read_parquet($path, file_row_number = true) as file_row`
    : `select row_number() over () as line_number, left(line, 1000) as line from ${LINES}`
  await db.refill(
    'import.broken_lines',
    `select line_number, line from (${lines}) semi join import.broken using (line_number)`,
    { path },
  )
}

async function loadCsvRows(db: Database, source: Source, layout: RowLayout): Promise<number> {
  const { path, label } = source
  const { line, names } = await readHeader(db, source, layout)
  await db.refill(
    'import.preamble',
    `select line_number, line from (select row_number() over () as line_number, line from ${LINES})
     where line_number < $header::bigint`,
    { path, header: line },
  )
  const columns = [...layout.required, ...(layout.optional ?? [])].map(name => {
    const at = names.indexOf(name)
    return at < 0 ? `null::varchar as "${name}"` : `nullif(cells[${at + 1}], '') as "${name}"`
  })
  const isRagged = layout.isRagged ?? false
  await db.refill(
    'import.rows',
    `with numbered as (select row_number() over () as line_number, line from ${LINES}),
     split as (
       select
         line_number,
         case
           when length(line) > ${LINE_LENGTH_MAX}
             then 'is longer than ${LINE_LENGTH_MAX} characters'
           when contains(line, $replacement) then 'holds bytes that are no text'
         end as broken,
         case when broken is null then csv_cells(line) end as cells
       from numbered where line_number > $header::bigint and trim(line) <> ''
     )
     select
       line_number,
       case
         when broken is not null then broken
         when cells is null then 'has a quote that stays open'
         when not $ragged::boolean and len(cells) <> $count::bigint
           then format('has {} columns, the header has {}', len(cells), $count::bigint)
       end as row_reason,
       len(cells) as cell_count,
       ${columns.join(',\n       ')}
     from split`,
    { path, header: line, count: names.length, ragged: isRagged, replacement: REPLACEMENT },
  )
  if (await db.isEmpty('import.rows')) {
    throw new NoRows(`${label} holds no rows after its header.`)
  }
  return names.length
}

/** Where the header stands and what it names. */
async function readHeader(db: Database, source: Source, layout: RowLayout) {
  const found = await db.rows(
    `select line_number, csv_cells(line) as cells
     from (select row_number() over () as line_number, line from ${LINES})
     where trim(line) <> '' and line_number <= $most::bigint
     order by line_number`,
    { path: source.path, most: HEADER_LINES_MAX },
  )
  const headers = found.map(row => ({
    line: row.line_number as number,
    names: namesOf((row.cells as string[] | null) ?? []),
  }))
  const header = headers.find(({ names }) => layout.required.every(name => names.includes(name)))
  if (!header) throw new Refusal(missing(source.label, layout, headers[0]?.names ?? []))
  const repeated = header.names.find(name => /_2$/.test(name) && isRepeat(name, header.names))
  if (repeated && !layout.mayRepeat) {
    throw new Refusal(`${source.label} names the column ${repeated.slice(0, -2)} twice.`)
  }
  return header
}

const isRepeat = (name: string, names: readonly string[]) => names.includes(name.slice(0, -2))

/** Names in lower case with underscores; the second of a name gets `_2`. */
function namesOf(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map(cell => {
    const name = cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s.]+/g, '_')
      .replace(/^#/, '')
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 || name === '' ? name : `${name}_${count}`
  })
}

function missing(label: string, layout: RowLayout, names: readonly string[]): string {
  const lacking = layout.required.filter(name => !names.includes(name))
  const all = layout.required.join(', ')
  if (lacking.length === layout.required.length) {
    return `${label} has no header of this format: it must name ${all}.`
  }
  return `${label} lacks the column ${lacking.join(', ')}; this format needs ${all}.`
}

async function loadParquetRows(
  db: Database,
  { path, label }: Source,
  layout: RowLayout,
  names: readonly string[],
): Promise<void> {
  const lacking = layout.required.filter(name => !names.includes(name))
  if (lacking.length > 0) throw new Refusal(missing(label, layout, names))
  const columns = [...layout.required, ...(layout.optional ?? [])].map(name =>
    names.includes(name) ? `"${name}"` : `null::varchar as "${name}"`,
  )
  const rows = (file: string) =>
    `select
       file_row_number + 1 as line_number, null::varchar as row_reason, null::bigint as cell_count,
       ${columns.join(', ')}
     from read_parquet(${file}, file_row_number = true)`
  // no plan is kept that reads a file: what follows then reads a table
  if (db.keepsPlans) await db.refill('import.rows', rows('$path'), { path })
  else {
    // a view, so that only the columns that are asked for are read; views take no parameters
    await db.run('set variable source_path = $path', { path })
    await db.run(`create or replace view import.rows as ${rows("getvariable('source_path')")}`)
  }
  if (await db.isEmpty('import.rows')) throw new Refusal(`${label} holds no rows.`)
}

/** A list as DuckDB reads it from text: every item quoted. */
export const listOf = (items: readonly string[]): string =>
  `[${items.map(item => `'${item.replaceAll("'", "''")}'`).join(', ')}]`
