import type { RowLayout, Source, SourceColumn } from './header.ts'
/** The rows of one vendor file as `import.rows`: named text columns, and why a row is broken. */

import { lackOf, NoRows, Refusal } from '../disk/refusal.ts'
import { REPLACEMENT } from '../disk/text.ts'
import type { Database, Row } from './database.ts'
import { LINES, missingText, readHeader } from './header.ts'

export type RowShape = {
  /** How many names the header has; 0 for Parquet. */
  readonly headerCount: number
  /** How many of them stand up to the last one that is read. */
  readonly readCount: number
}

const LINE_LENGTH_MAX = 10_000
const ANOTHER_HEADER = 'is another header'

/**
 * Makes `import.rows`: line_number, row_reason, cell_count, filled_count (without the empty cells
 * at the end), and the columns of the layout.
 */
export async function loadRows(db: Database, source: Source, layout: RowLayout): Promise<RowShape> {
  if (!source.columns) return loadCsvRows(db, source, layout)
  const names = source.columns.map(({ name }) => name)
  await loadParquetRows(db, source, layout, names)
  return { headerCount: 0, readCount: 0 }
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

async function loadCsvRows(db: Database, source: Source, layout: RowLayout): Promise<RowShape> {
  const { path, label } = source
  const { line, text, names, raw } = await readHeader(db, source, layout)
  await db.refill(
    'import.preamble',
    `select line_number, line from (select row_number() over () as line_number, line from ${LINES})
     where line_number < $header::bigint`,
    { path, header: line },
  )
  const wanted = [...layout.required, ...(layout.optional ?? [])]
  const columns = wanted.map(name => {
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
           when contains(line, $replacement) then 'holds bytes that are not text'
         end as broken,
         case when broken is null then csv_cells(line) end as cells,
         -- cells that stand empty at the end say nothing: a spreadsheet pads its rows with them
         case when ends_with(line, ',') then len(cells) - length(line) + length(rtrim(line, ','))
           else len(cells) end as filled_count,
         case when contains(line, $first) then
           list_bool_and(list_transform($names::varchar[], lambda name: contains(line, name)))
         end as is_header
       from numbered
       -- a line that repeats the header is no row: files that were joined have some
       where line_number > $header::bigint and trim(line) <> ''
         and case
           when contains(line, $text) then trim(line, chr(65279) || ' ') <> $text
           when starts_with(line, ',') then trim(line, ', ') <> ''
           else true
         end
     )
     select
       line_number,
       case
         when broken is not null then broken
         when cells is null then 'has a quote that stays open'
         when is_header then '${ANOTHER_HEADER}'
         when not $ragged::boolean
           and (len(cells) < $count::bigint or filled_count > $count::bigint)
           then format('has {} columns, the header has {}', len(cells), $count::bigint)
       end as row_reason,
       len(cells) as cell_count,
       filled_count,
       ${columns.join(',\n       ')}
     from split`,
    {
      ...{ path, header: line, text, count: names.length, ragged: isRagged },
      ...{ first: raw[0]!, names: listOf(raw), replacement: REPLACEMENT },
    },
  )
  const [other] = await db.rows(
    'select min(line_number) as line from import.rows where row_reason = $reason',
    { reason: ANOTHER_HEADER },
  )
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
  names: readonly string[],
): Promise<void> {
  const lacking = layout.required.filter(name => !names.includes(name))
  if (lacking.length > 0)
    throw new Refusal(missingText(label, layout, [{ names, text: names.join(',') }]))
  const columns = [...layout.required, ...(layout.optional ?? [])].map(name =>
    names.includes(name) ? `"${name}"` : `null::varchar as "${name}"`,
  )
  const rows = (file: string) =>
    `select
       file_row_number + 1 as line_number, null::varchar as row_reason, null::bigint as cell_count,
       null::bigint as filled_count,
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
