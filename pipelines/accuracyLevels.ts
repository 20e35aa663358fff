/** How far flip and net gamma are from the simulated dealers' true book, and the bar's coverage. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, midnightMs, sessionOf } from '../src/market/calendar.ts'
import { alignColumns } from '../src/store/analyst.ts'
import { type Database, openDatabase } from '../src/store/duck.ts'
import { loadConditions, loadExpiries, loadSession } from '../src/store/session.ts'
import { loadFiles, loadParquet, tapeDataset } from '../src/store/tape.ts'
import { buildFold } from './fold.ts'
import { DEFAULT_OPTIONS } from './simulate/options.ts'
import { runSimulate, TAPE_FILES } from './simulate.ts'
import { buildBook, buildLevels, buildSurface } from './surface.ts'

/** One book of one simulated session; errors in index points and $M per point. */
type LevelErrors = {
  readonly inventory: 'true inventory' | 'open interest'
  readonly book_basis: string
  readonly minute_count: number
  /** Share of the minutes whose error bar holds the true flip. */
  readonly covered_share: number
  readonly mean_width: number
  /** Share of the minutes whose bar has an end where the scan ends. */
  readonly open_share: number
  readonly median_flip_error: number
  readonly high_flip_error: number
  readonly median_gamma_error: number
  readonly median_gamma: number
}

type LevelsOptions = {
  readonly prints: number
  readonly firstSeed: number
  /** Sessions, each with a seed of its own. */
  readonly sessions: number
  readonly contracts?: number
}

const TRUTHS = ['truth_prints', 'truth_legs', 'truth_book', 'truth_surface'] as const

/** What the true book is put in place of, and the models that are then built again. */
const TRUE_TABLES = {
  true_inventory: 'book.inventory',
  true_flows: 'book.flows',
  true_forwards: 'surface.forwards',
  true_smiles: 'surface.smiles',
} as const
const TRUE_MODELS = [
  ...['book/pairs', 'book/pair_flows', 'book/positions', 'book/gammas', 'book/scan_sums'],
  ...['book/scan', 'levels/lobes', 'levels/flips', 'levels/walls'],
]

/** Builds each session with the true inventory and with open interest alone; one row a book. */
export async function measureLevels(options: LevelsOptions): Promise<LevelErrors[]> {
  const measured: LevelErrors[] = []
  for (let number = 0; number < options.sessions; number++) {
    process.stderr.write(`  session ${number + 1} of ${options.sessions}\n`)
    measured.push(...(await measureSession(options, options.firstSeed + number)))
  }
  return measured
}

async function measureSession(options: LevelsOptions, seed: number): Promise<LevelErrors[]> {
  const { prints, contracts = 3_000 } = options
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-levels-'))
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    const out = join(folder, 'session')
    await runSimulate({ ...DEFAULT_OPTIONS, prints, contracts, seed, out })
    await loadSimulated(db, out)
    await buildFold(db)
    await buildSurface(db)
    await buildNamed(db, 'accuracy.levels_measured')
    await db.run('delete from tape.dealer_positions')
    await buildNamed(db, 'accuracy.levels_naive')
    await buildTruth(db)
    return (await db.query('accuracy/level_errors')) as LevelErrors[]
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loadSimulated(db: Database, folder: string): Promise<void> {
  const { date } = DEFAULT_OPTIONS
  const knownUntilMs = midnightMs(addDays(date, 1))
  const session = sessionOf(date)!
  await loadConditions(db)
  await loadSession(db, { session, symbol: 'SPX', knownUntilMs, minPremiumUsd: 0 })
  for (const name of [...TAPE_FILES, 'dealer_positions']) {
    const order = name === 'prints' ? 'order by printed_at, sequence' : ''
    const { columns } = tapeDataset(name)
    await loadFiles(db, `tape.${name}`, columns, [join(folder, `${name}.parquet`)], order)
  }
  await db.run('create table tape.carried_positions as from tape.dealer_positions limit 0')
  await loadExpiries(db)
  await db.run('create schema accuracy')
  for (const name of TRUTHS) {
    await loadParquet(db, `accuracy.${name}`, join(folder, `${name}.parquet`))
  }
}

async function buildNamed(db: Database, table: string): Promise<void> {
  await buildBook(db)
  await buildLevels(db)
  await db.run(`create table ${table} as from levels.levels`)
}

/** The levels of the true book under the true surface, in place of those of the tape. */
async function buildTruth(db: Database): Promise<void> {
  for (const [model, table] of Object.entries(TRUE_TABLES)) {
    await db.build(`accuracy/${model}`, {}, table)
  }
  for (const model of TRUE_MODELS) await db.build(model)
}

/** The measures as a table, one line a book, means over the sessions. */
export function levelsText(measured: readonly LevelErrors[]): string {
  const head = [
    ...['inventory', 'book', 'sessions', 'minutes', 'bar covers', 'by session', 'bar width'],
    ...['open bars', 'flip error', 'p90', 'net gamma error', 'of'],
  ]
  const books = Map.groupBy(measured, row => `${row.inventory} ${row.book_basis}`)
  const lines = [...books.values()].map(rows => {
    const mean = (key: keyof LevelErrors) => {
      const weight = rows.reduce((sum, row) => sum + row.minute_count, 0)
      return rows.reduce((sum, row) => sum + Number(row[key]) * row.minute_count, 0) / weight
    }
    const shares = rows.map(row => row.covered_share)
    return [
      ...[rows[0]!.inventory, rows[0]!.book_basis, String(rows.length)],
      String(rows.reduce((sum, row) => sum + row.minute_count, 0)),
      mean('covered_share').toFixed(3),
      `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}`,
      mean('mean_width').toFixed(2),
      mean('open_share').toFixed(2),
      mean('median_flip_error').toFixed(2),
      mean('high_flip_error').toFixed(2),
      mean('median_gamma_error').toFixed(2),
      mean('median_gamma').toFixed(2),
    ]
  })
  return `${alignColumns([head, ...lines])}\n`
}
