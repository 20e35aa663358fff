import { Bool, Float64, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow'
import { csvText } from '../core/disk/csv.ts'
import { arrowStream, parquetBytes } from '../platform/http/table.ts'
import type { EntryLog } from './lookbackSchema.ts'

/** An entry log as a table: one row a session, two columns a condition. */

type Cell = string | number | boolean | null
type Column = { readonly name: string; readonly type: Utf8 | Float64 | Int32 | Bool }
type Entry = EntryLog['entries'][number]

export const TABLE_FORMATS = ['csv', 'parquet', 'arrow'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** The bytes of an entry log in a format. */
export function renderEntries({ entries }: EntryLog, format: TableFormat): Uint8Array {
  const ids = [...new Set(entries.flatMap(entry => entry.conditions.map(({ id }) => id)))]
  const columns = listColumns(ids)
  const rows = entries.map(entry => toCells(entry, ids))
  const names = columns.map(({ name }) => name)
  if (format === 'csv') return Buffer.from(csvText([names, ...rows], '\r\n'))
  const vectors = columns.map(({ name, type }, index) => {
    return [name, vectorFromArray(rows.map(row => row[index]) as never[], type)] as const
  })
  const stream = arrowStream(new Table(Object.fromEntries(vectors)))
  return format === 'arrow' ? stream : parquetBytes(stream)
}

function listColumns(ids: readonly string[]): Column[] {
  const of = (type: Column['type'], ...names: string[]) => names.map(name => ({ name, type }))
  return [
    ...of(new Utf8(), 'day', 't', 'label', 'error'),
    ...of(new Int32(), 'on', 'off', 'unknown'),
    ...ids.flatMap(id => [...of(new Float64(), id), ...of(new Utf8(), `${id}_state`)]),
    ...of(new Float64(), 'sp_points', 'sp_expected_moves', 'sc_points', 'sc_expected_moves'),
    ...of(new Bool(), 'held', 'touched'),
    ...of(new Float64(), 'close_points', 'worst_points'),
    ...of(new Utf8(), 'worst_t'),
    ...of(new Float64(), 'moved_points', 'moved_over_expected'),
    ...of(new Int32(), 'missing_minutes'),
    ...of(new Utf8(), 'outcome_null'),
  ]
}

function toCells(entry: Entry, ids: readonly string[]): Cell[] {
  const { day, t, label, error, counts, outcome } = entry
  const shorts = (['sp', 'sc'] as const).flatMap(leg => {
    const short = entry.shorts.find(one => one.leg === leg)
    return [short?.points ?? null, short?.expected_moves ?? null]
  })
  const conditions = ids.flatMap(id => {
    const condition = entry.conditions.find(one => one.id === id)
    return [condition?.value ?? null, condition?.state ?? null]
  })
  return [
    day,
    t,
    label,
    error ?? null,
    counts.on,
    counts.off,
    counts.unknown,
    ...conditions,
    ...shorts,
    outcome?.held ?? null,
    outcome?.touched ?? null,
    outcome?.close_points ?? null,
    outcome?.worst_points ?? null,
    outcome?.worst_t ?? null,
    outcome?.moved_points ?? null,
    outcome?.moved_over_expected ?? null,
    outcome?.missing_minutes ?? null,
    entry.outcome_null,
  ]
}
