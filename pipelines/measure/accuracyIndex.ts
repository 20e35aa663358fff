/** Errors of an index by put-call parity, on tapes that have one and are made to do without it. */

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { TAPE_DATASETS } from '../../src/data/dictionary/datasets.ts'
import { tapeColumns } from '../../src/data/tape/manifest.ts'
import { loadExpiries } from '../../src/data/tape/session.ts'
import { loadFiles, loadTape } from '../../src/data/tape/tables.ts'
import { buildSpots } from '../build/surface.ts'
import { runImport } from '../import/import.ts'
import { DEFAULT_OPTIONS } from '../simulate/options.ts'
import { runSimulate } from '../simulate/simulate.ts'
import { partFile, withNewFolder, withParts } from './accuracyParts.ts'
import { loadPastSession } from './loadTruth.ts'

/** One tape whose index is taken away, all day or from a minute on; errors in index points. */
export type IndexAccuracy = {
  readonly tape: string
  /** False of a real tape whose files are absent; its figures are then null. */
  readonly is_present: boolean
  readonly sessions: number
  /** Minutes of the session without the index, and those of them with one by parity. */
  readonly minute_count: number | null
  readonly derived_count: number | null
  readonly median_error: number | null
  readonly high_error: number | null
  /** Median of the stated standard deviation. */
  readonly median_stated: number | null
  /** Shares of the minutes within one stated deviation, and within the 90 % interval. */
  readonly deviation_share: number | null
  readonly covered_share: number | null
}

type RealDay = { readonly name: string; readonly date: string; readonly files: readonly string[] }

/** Minutes of LEAN's sample: one or two strikes an expiry, where the product takes three. */
const REAL_DAYS: readonly RealDay[] = [
  ['SPX, 4 January 2021, one or two strikes', '2021-01-04'],
  ['SPX, 26 June 2023, one strike 2 % off, 4 days', '2023-06-26'],
].map(([name, date]) => {
  const day = date!.replaceAll('-', '')
  const files = [
    `lean/index/spx/${day}_trade.zip`,
    `lean/indexoption/spxw/${day}_quote_european.zip`,
  ]
  return { name: name!, date: date!, files }
})
const PAIRS_OF_REAL = 1

/** The files of the real days, below the folder of real tapes. */
export const REAL_INDEX_FILES: readonly string[] = REAL_DAYS.flatMap(({ files }) => files)

/** How a tape loses its index, and the first ET minute without one. */
const LOSSES = { 'no index': '00:00', 'index until 11:00': '11:00' } as const

export type IndexRequest = { readonly sessions: number; readonly contracts: number }

/** Prints play no part: they could carry the index. */
const FEW_PRINTS = 1_000

/** Measures simulated sessions from a seed on, and the real ones of a folder if it is given. */
export async function measureIndex(
  { sessions, contracts }: IndexRequest,
  seed: number,
  realFolder?: string,
): Promise<IndexAccuracy[]> {
  return withNewFolder('index', async folder => {
    for (let number = 0; number < sessions; number++) {
      process.stderr.write(`  deriving the index: session ${number + 1} of ${sessions}\n`)
      await measureSimulated(folder, { contracts, seed: seed + number })
    }
    const days = realFolder === undefined ? [] : REAL_DAYS
    const isPresent = ({ files }: RealDay) =>
      files.every(file => existsSync(join(realFolder!, file)))
    for (const day of days.filter(isPresent)) await measureDay(folder, day, realFolder!)
    const rows = await withParts(
      folder,
      { tables: ['index_errors'], group: '*' },
      async db => (await db.query('measure/index_totals')) as Figures[],
    )
    const totals = new Map(rows.map(row => [row.tape, row]))
    const list = (name: string, count: number, isThere: boolean) =>
      Object.keys(LOSSES).map(loss => {
        const tape = `${name}, ${loss}`
        const { tape: _, ...figures } = totals.get(tape) ?? { tape, ...ABSENT }
        return { tape, is_present: isThere, sessions: count, ...figures }
      })
    return [
      ...list(SIMULATED, sessions, true),
      ...days.flatMap(day => list(day.name, 1, isPresent(day))),
    ]
  })
}

const SIMULATED = 'simulated'

type Figures = Omit<IndexAccuracy, 'is_present' | 'sessions'>

const ABSENT = {
  minute_count: null,
  derived_count: null,
  median_error: null,
  high_error: null,
  median_stated: null,
  deviation_share: null,
  covered_share: null,
} as const

async function measureSimulated(
  folder: string,
  { contracts, seed }: { readonly contracts: number; readonly seed: number },
): Promise<void> {
  const out = join(folder, 'session')
  const { date } = DEFAULT_OPTIONS
  await runSimulate({ ...DEFAULT_OPTIONS, prints: FEW_PRINTS, contracts, seed, out })
  await withDatabase(date, async db => {
    const simulated = ['quotes', 'spots', 'open_interest', 'rates']
    for (const { name } of TAPE_DATASETS) {
      const files = simulated.includes(name) ? [join(out, `${name}.parquet`)] : []
      await loadFiles(db, `tape.${name}`, tapeColumns(name), files)
    }
    await measureLosses(db, { date, name: SIMULATED, folder, session: seed })
  })
  rmSync(out, { recursive: true, force: true })
}

async function measureDay(folder: string, { name, date, files }: RealDay, real: string) {
  const dataFolder = join(folder, date)
  const format = 'lean-index-options'
  await runImport({ dataFolder, format, files: files.map(file => join(real, file)) })
  await withDatabase(date, async db => {
    await loadTape(db, dataFolder, date, 'SPX')
    await measureLosses(db, { date, name, folder, session: date }, PAIRS_OF_REAL)
  })
}

async function withDatabase(date: string, work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openDatabase({ threads: 2 })
  try {
    await db.run('create schema measure')
    await loadPastSession(db, date)
    await work(db)
  } finally {
    db.close()
  }
}

type Measured = {
  readonly date: string
  readonly name: string
  readonly folder: string
  readonly session: number | string
}

/** Derives the index of a tape that loses it, and writes the errors of each minute. */
async function measureLosses(
  db: Database,
  { date, name, folder, session }: Measured,
  minPairs?: number,
): Promise<void> {
  await loadExpiries(db)
  await db.build('measure/all_spots')
  for (const model of ['sources', 'spot_values', 'index_spots']) await db.build(`surface/${model}`)
  await db.build('measure/known_index')
  for (const [loss, minute] of Object.entries(LOSSES)) {
    const params = { until_ms: instantMs(date, minute) }
    await db.build('measure/early_spots', params, 'tape.spots')
    await buildSpots(db, minPairs)
    await copyToParquet(db, {
      path: 'measure/index_errors',
      file: partFile(folder, { table: 'index_errors', group: minute.replace(':', ''), session }),
      params: { tape: `${name}, ${loss}` },
    })
  }
}
