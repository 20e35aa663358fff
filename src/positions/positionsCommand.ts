import { readFileSync } from 'node:fs'
import { Bool, Float64, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow'
import { type CommandContext, type CommandWork, withAccounts } from '../accounts/commandContext.ts'
import { UsageError } from '../core/command.ts'
import type { Input } from '../core/commandRow.ts'
import { csvText } from '../core/disk/csv.ts'
import { writeOutput } from '../core/disk/files.ts'
import { jsonFault, parseJson } from '../core/disk/json.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { openCatalog, withReplayed } from '../data/published/catalog.ts'
import { warnNothingPublished } from '../data/published/nothingPublished.ts'
import { isExpected } from '../platform/http/errors/catalogue.ts'
import { arrowStream, parquetBytes } from '../platform/http/table.ts'
import { checksAt, type JudgingDeps, readAsOfMinute } from './ask.ts'
import type { POSITIONS } from './commandRows.ts'
import { completePosition } from './completePosition.ts'
import { readEntries } from './lookback.ts'
import type { EntryLog } from './lookbackSchema.ts'
import { openJudge } from './marketValues.ts'
import { parseChange } from './parseChange.ts'
import type { Position } from './schema.ts'
import type { PositionAccounts } from './store/types.ts'
import { readStoredPositions } from './stored.ts'

/** An entry log as a table: one row a session, two columns a condition. */

type Cell = string | number | boolean | null
type Column = { readonly name: string; readonly type: Utf8 | Float64 | Int32 | Bool }
type Entry = EntryLog['entries'][number]

const TABLE_FORMATS = ['csv', 'parquet', 'arrow'] as const
type TableFormat = (typeof TABLE_FORMATS)[number]

/** The bytes of an entry log in a format. */
function renderEntries({ entries }: EntryLog, format: TableFormat): Uint8Array {
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

type Run<Name extends string> = CommandWork<typeof POSITIONS, Name, PositionAccounts>

type Context = CommandContext<PositionAccounts>
type PositionsQuery = { readonly file: string | undefined } & Pick<
  Input<typeof POSITIONS, 'positions check'>,
  'account' | 'id' | 'data' | 'out'
>

/** Runs `tapefold positions check`. */
export const positionsCheckCommand: Run<'positions check'> = (input, context) =>
  judgePositions({ ...input, file: input.words[0] }, context, async (deps, positions) => {
    const given = (value: string | undefined) => (value === undefined ? [] : [value])
    const asOf = readAsOfMinute(deps, given(input.day), given(input.t))
    return jsonBytes(await checksAt(deps, asOf, positions))
  })

/** Runs `tapefold positions entries`. */
export const positionsEntriesCommand: Run<'positions entries'> = (input, context) =>
  judgePositions({ ...input, file: input.words[0] }, context, async (deps, positions) => {
    const table = TABLE_FORMATS.find(known => known === input.format)
    if (!table && input.format !== 'json') {
      throw new UsageError(`--format is ${input.format}; give json, ${TABLE_FORMATS.join(', ')}.`)
    }
    if (table && positions.length !== 1) {
      throw new Refusal(`a table holds one entry log, not ${positions.length}; name one with --id.`)
    }
    const logs = []
    for (const position of positions) logs.push(await readEntries(position, input.replay, deps))
    if (table) return renderEntries(logs[0]!, table)
    return jsonBytes(logs.length === 1 ? logs[0]! : logs)
  })

async function judgePositions(
  query: PositionsQuery,
  context: Context,
  judgeAll: (deps: JudgingDeps, positions: readonly Position[]) => Promise<Uint8Array>,
): Promise<void> {
  const { data: dataFolder, out } = query
  const positions = await readPositions(query, context)
  warnNothingPublished(dataFolder)
  const judge = openJudge(dataFolder)
  const { nowMs } = context
  const catalog = withReplayed(openCatalog({ dataFolder, nowMs, log: { error: () => {} } }))
  try {
    writeOutput(out, await judgeAll({ catalog, judge, nowMs }, positions))
  } finally {
    await judge.close()
  }
}

const jsonBytes = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

async function readPositions(
  { file, account, id }: PositionsQuery,
  context: Context,
): Promise<Position[]> {
  if ((file === undefined) === (account === undefined)) {
    throw new UsageError('positions takes either a file or --account.')
  }
  const found =
    file === undefined
      ? await withAccounts(context, accounts => readStoredPositions(accounts, account!))
      : positionsIn(file)
  const wanted = id === undefined ? found : found.filter(position => position.id === id)
  if (wanted.length > 0) return wanted
  const what = id === undefined ? 'no position' : `no position ${id}`
  throw new Refusal(`there is ${what} in ${file ?? `account ${account}`}.`)
}

/** The positions of a file, by the rules of the API; they are called p_1, p_2, … */
function positionsIn(file: string): Position[] {
  let parsed: unknown
  try {
    parsed = parseJson(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Refusal(
      code === undefined ? `${file} is ${jsonFault(error)}.` : `${file} cannot be read (${code}).`,
    )
  }
  const list = Array.isArray(parsed) ? parsed : [parsed]
  return list.map((position, index) => {
    try {
      const { position: input } = parseChange(JSON.stringify({ op: 'add', position }))
      return completePosition(`p_${index + 1}`, input)
    } catch (error) {
      throw isExpected(error) ? new Refusal(`${file}: ${error.message}`) : error
    }
  })
}
