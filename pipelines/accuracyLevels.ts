/** How far flip and net gamma are from the simulated dealers' true book, and the bar's coverage. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, midnightMs, sessionOf } from '../src/market/calendar.ts'
import { type Database, openDatabase } from '../src/store/duck.ts'
import { loadConditions, loadExpiries, loadSession } from '../src/store/session.ts'
import { tapeDataset } from '../src/store/tape.ts'
import { loadFiles, loadParquet } from '../src/store/tapeTables.ts'
import { meanOf } from './accuracyMeans.ts'
import type { TapeSize } from './accuracyTapes.ts'
import { buildEditions } from './editions.ts'
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

/** One book over all sessions: means weighted by minutes, and the span of the coverage. */
export type BookAccuracy = LevelErrors & {
  readonly sessions: number
  readonly least_covered_share: number
  readonly most_covered_share: number
}

/** Forwards (points), volatilities (1 = 100 %) and gammas (relative) of the quotes of one span. */
export type SurfaceErrors = {
  readonly expires_within: string
  readonly quote_count: number
  readonly median_forward_error: number
  readonly high_forward_error: number
  readonly median_vol_error: number
  readonly high_vol_error: number
  readonly median_gamma_error: number
  readonly high_gamma_error: number
}

/** What the levels and the surface below them were measured on, and how far off they are. */
export type LevelsAccuracy = {
  readonly prints: number
  readonly contracts: number
  readonly first_seed: number
  readonly sessions: number
  readonly books: readonly BookAccuracy[]
  readonly surface: readonly SurfaceErrors[]
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
  ...['book/traded', 'book/pairs', 'book/pair_flows', 'book/smile_pairs', 'book/positions'],
  ...['book/gammas', 'book/scan_sums', 'book/scan', 'levels/lobes', 'levels/flips', 'levels/walls'],
]

/** Builds each session with the true inventory and with open interest alone. */
export async function measureLevels(options: LevelsOptions): Promise<LevelsAccuracy> {
  const { prints, contracts = 3_000, firstSeed, sessions } = options
  const measured: Session[] = []
  for (let number = 0; number < sessions; number++) {
    process.stderr.write(`  building levels: session ${number + 1} of ${sessions}\n`)
    measured.push(await measureSession({ prints, contracts, seed: firstSeed + number }))
  }
  const books = Map.groupBy(
    measured.flatMap(session => session.books),
    ({ inventory, book_basis }) => `${inventory} ${book_basis}`,
  )
  const spans = Map.groupBy(
    measured.flatMap(session => session.surface),
    ({ expires_within }) => expires_within,
  )
  return {
    ...{ prints, contracts, first_seed: firstSeed, sessions },
    books: [...books.values()].map(rows => {
      const shares = rows.map(row => row.covered_share)
      return {
        ...meanOf(rows, 'minute_count'),
        sessions: rows.length,
        least_covered_share: Math.min(...shares),
        most_covered_share: Math.max(...shares),
      }
    }),
    surface: [...spans.values()].map(rows => meanOf(rows, 'quote_count')),
  }
}

type Session = {
  readonly books: readonly LevelErrors[]
  readonly surface: readonly SurfaceErrors[]
}

async function measureSession(size: TapeSize): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-levels-'))
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    const out = join(folder, 'session')
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, out })
    await loadSimulated(db, out)
    await buildFold(db)
    await buildEditions(db)
    await buildSurface(db)
    const surface = (await db.query('accuracy/surface_errors')) as SurfaceErrors[]
    await buildNamed(db, 'accuracy.levels_measured')
    await db.run('delete from tape.dealer_positions')
    await buildNamed(db, 'accuracy.levels_naive')
    await buildTruth(db)
    const books = (await db.query('accuracy/level_errors')) as LevelErrors[]
    return { books, surface }
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
    const order = name === 'prints' ? { orderBy: 'printed_at, sequence' } : {}
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
