import { readFileSync } from 'node:fs'
import { type StructRow, tableFromIPC, Vector } from 'apache-arrow'
import { readParquet } from 'parquet-wasm/node'
import { csvText } from '../../core/disk/csv.ts'
import { sha256 } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { readWholeTrades, tradesPath } from './tradesFile.ts'
import { TRADE_COLUMNS, type TradeRow } from './tradeTable.ts'

/** Formats in which trades are served. */
const TRADE_FORMS = ['json', 'csv', 'parquet', 'arrow'] as const
export type TradeForm = (typeof TRADE_FORMS)[number]

export type TradesQuestion = {
  readonly runId: string
  /** Hash of the file, hex. */
  readonly sha256: string
  /** Key of the file with the sealed trades too, hex; null: they are not shown. */
  readonly key: string | null
  readonly form: TradeForm
  /** Range of JSON rows, by start and maximum count; the other formats have all. */
  readonly start: number
  readonly count: number
}

export type TradesPage = {
  readonly job: string
  readonly total: number
  readonly trades: readonly TradeRow[]
}

/** Renders the trades of a run. Fails with a Refusal when their file does not match its hash. */
export function renderTrades(dataFolder: string, question: TradesQuestion): Uint8Array {
  const bytes =
    question.key === null
      ? readVerified(tradesPath(dataFolder, question.runId), question.sha256)
      : readWholeTrades(dataFolder, question.runId, question.key)
  if (question.form === 'parquet') return bytes
  const stream = readParquet(bytes).intoIPCStream()
  if (question.form === 'arrow') return stream
  const { runId, form, start, count } = question
  const rows = parseRows(stream)
  if (form === 'csv') {
    const fields = rows.map(row => TRADE_COLUMNS.map(name => row[name]))
    return Buffer.from(csvText([TRADE_COLUMNS, ...fields], '\r\n'))
  }
  const trades = rows.slice(start, start + count)
  return Buffer.from(
    JSON.stringify({ job: runId, total: rows.length, trades } satisfies TradesPage),
  )
}

function readVerified(path: string, hash: string): Uint8Array {
  const bytes = readFileSync(path)
  if (sha256(bytes) !== hash) throw new Refusal('the trades of this job are damaged.')
  return bytes
}

function parseRows(stream: Uint8Array): TradeRow[] {
  const table = tableFromIPC(stream)
  const columns = TRADE_COLUMNS.map(name => [name, table.getChild(name)!] as const)
  return Array.from({ length: table.numRows }, (_, index) =>
    Object.fromEntries(columns.map(([name, column]) => [name, plain(column.get(index))])),
  ) as TradeRow[]
}

/** Converts lists and records of Arrow to those of JSON. */
function plain(value: unknown): unknown {
  if (value instanceof Vector) return [...value].map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries((value as StructRow).toJSON()).map(([name, inner]) => [name, plain(inner)]),
  )
}
