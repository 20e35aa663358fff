/**
 * Errors of flip and net gamma against the simulated dealers' true book, and the coverage of the
 * confidence interval.
 */

import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { addDays, findTradingSession, midnightMs } from '../../src/core/market/calendar.ts'
import { TAPE_DATASETS } from '../../src/data/dictionary/datasets.ts'
import { tapeColumns } from '../../src/data/tape/manifest.ts'
import { loadConditions, loadExpiries, loadSession } from '../../src/data/tape/session.ts'
import { loadFiles, loadParquet } from '../../src/data/tape/tables.ts'
import { buildEditions } from '../build/editions.ts'
import { buildFold } from '../build/fold.ts'
import { buildBook, buildLevels, buildSurface } from '../build/surface.ts'
import { DEFAULT_OPTIONS } from '../simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../simulate/simulate.ts'
import type { TapeSize } from './accuracyTapes.ts'

/** One book over all minutes of all sessions; errors in index points and $M per point. */
export type BookAccuracy = {
  readonly inventory: 'true inventory' | 'open interest'
  readonly book_basis: string
  readonly sessions: number
  readonly minute_count: number
  /** Minutes in which the true book has a flip. */
  readonly flip_count: number
  /** Share of those whose error bar holds the true flip; one without a bar holds nothing. */
  readonly covered_share: number
  /** The same of the minutes that have a bar, and of those whose bar ends within the scan. */
  readonly given_covered_share: number
  readonly closed_covered_share: number | null
  /** Standard error of the covered share, of sessions as wholes; null of a single one. */
  readonly covered_error: number | null
  readonly least_covered_share: number
  readonly most_covered_share: number
  /** Minutes with a true flip for which none is given, and the other way round. */
  readonly missed_count: number
  readonly invented_count: number
  readonly mean_width: number
  /** Share of the bars that have an end where the scan ends. */
  readonly open_share: number
  readonly median_flip_error: number
  readonly high_flip_error: number
  readonly median_gamma_error: number
  readonly median_gamma: number
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

/** Sizes of the tape that the levels and the surface were measured on, and their errors. */
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

/** Tables that the truth replaces; `TRUE_MODELS` are then rebuilt. */
const TRUE_TABLES = {
  true_inventory: 'book.inventory',
  true_flows: 'book.flows',
  true_forwards: 'surface.forwards',
  true_smiles: 'surface.smiles',
} as const
const TRUE_MODELS = [
  'book/traded',
  'book/pairs',
  'book/holdings',
  'book/pair_flows',
  'book/smile_pairs',
  'book/positions',
  'book/gammas',
  'book/coverage',
  'book/scan_sums',
  'book/scan',
  'levels/lobes',
  'levels/flips',
  'levels/strikes',
  'levels/walls',
]

/** Tables that each session contributes to the totals over all sessions. */
const PARTS = ['level_minutes', 'surface_quotes'] as const

/** Builds each session with the true inventory and with open interest alone. */
export async function measureLevels(options: LevelsOptions): Promise<LevelsAccuracy> {
  const { prints, contracts = 3_000, firstSeed, sessions } = options
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-levels-'))
  try {
    for (let number = 0; number < sessions; number++) {
      process.stderr.write(`  building levels: session ${number + 1} of ${sessions}\n`)
      await buildSession({ prints, contracts, seed: firstSeed + number }, folder)
    }
    return {
      prints,
      contracts,
      first_seed: firstSeed,
      sessions,
      ...(await measureTogether(folder)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One percentile of all sessions, not a mean of theirs. */
async function measureTogether(folder: string): Promise<Pick<LevelsAccuracy, 'books' | 'surface'>> {
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    await db.run('create schema measure')
    for (const part of PARTS) {
      const files = globSync(`${part}-*.parquet`, { cwd: folder }).sort()
      await loadParquet(db, `measure.${part}`, ...files.map(file => join(folder, file)))
    }
    const books = (await db.query('measure/level_errors')) as BookAccuracy[]
    const surface = (await db.query('measure/surface_errors')) as SurfaceErrors[]
    return { books, surface }
  } finally {
    db.close()
  }
}

/** Builds one session and writes its measurements into the folder. */
async function buildSession(size: TapeSize, folder: string): Promise<void> {
  const out = join(folder, 'session')
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  const store = (part: (typeof PARTS)[number]) =>
    copyToParquet(db, {
      path: `measure/${part}`,
      file: join(folder, `${part}-${size.seed}.parquet`),
      params: { seed: size.seed },
    })
  try {
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, out })
    await loadSimulated(db, out)
    await buildFold(db)
    await buildEditions(db)
    await buildSurface(db)
    await store('surface_quotes')
    await buildNamed(db, 'measure.levels_measured')
    await db.run('delete from tape.dealer_positions')
    await buildNamed(db, 'measure.levels_naive')
    await buildTruth(db)
    await store('level_minutes')
  } finally {
    db.close()
    rmSync(out, { recursive: true, force: true })
  }
}

async function loadSimulated(db: Database, folder: string): Promise<void> {
  const { date } = DEFAULT_OPTIONS
  const knownUntilMs = midnightMs(addDays(date, 1))
  const session = findTradingSession(date)!
  await loadConditions(db)
  await loadSession(db, { session, symbol: 'SPX', knownUntilMs, minPremiumUsd: 0 })
  const simulated: readonly string[] = [...TAPE_FILES, 'dealer_positions']
  for (const { name } of TAPE_DATASETS) {
    const order = name === 'prints' ? { orderBy: 'printed_at, sequence' } : {}
    const files = simulated.includes(name) ? [join(folder, `${name}.parquet`)] : []
    await loadFiles(db, `tape.${name}`, tapeColumns(name), files, order)
  }
  await db.run('create table tape.carried_positions as from tape.dealer_positions limit 0')
  await loadExpiries(db)
  await db.run('create schema measure')
  for (const name of TRUTHS) {
    await loadParquet(db, `measure.${name}`, join(folder, `${name}.parquet`))
  }
}

async function buildNamed(db: Database, table: string): Promise<void> {
  await buildBook(db)
  await buildLevels(db)
  await db.run(`create table ${table} as from levels.levels`)
}

/** Replaces the levels of the tape with those of the true book under the true surface. */
async function buildTruth(db: Database): Promise<void> {
  for (const [model, table] of Object.entries(TRUE_TABLES)) {
    await db.build(`measure/${model}`, {}, table)
  }
  for (const model of TRUE_MODELS) await db.build(model)
}
