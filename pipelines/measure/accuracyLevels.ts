/**
 * Errors of flip and net gamma against the simulated dealers' true book, and the coverage of the
 * confidence interval.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { declaredReads, readSql } from '../../src/core/engine/sql.ts'
import { findTradingSession } from '../../src/core/market/calendar.ts'
import { TAPE_DATASETS } from '../../src/data/dictionary/datasets.ts'
import { createCarriedPositions } from '../../src/data/published/carried.ts'
import { tapeColumns } from '../../src/data/tape/manifest.ts'
import { loadExpiries } from '../../src/data/tape/session.ts'
import { loadFiles, loadParquet } from '../../src/data/tape/tables.ts'
import { BOOK_MODELS, LEVELS_MODELS } from '../build/dag.ts'
import { buildEditions } from '../build/editions.ts'
import { buildFold } from '../build/fold.ts'
import { buildModel, buildModels } from '../build/steps.ts'
import { buildBook, buildLevels, buildSurface } from '../build/surface.ts'
import { createChain } from '../simulate/chain.ts'
import { createInventory, type DealerKind } from '../simulate/inventory.ts'
import { createMarket } from '../simulate/market.ts'
import { DEFAULT_OPTIONS } from '../simulate/options.ts'
import { fillContracts } from '../simulate/raw.ts'
import { runSimulate, TAPE_FILES } from '../simulate/simulate.ts'
import { partFile, withNewFolder, withParts } from './accuracyParts.ts'
import type { TapeSize } from './accuracyTapes.ts'
import { loadPastSession } from './loadTruth.ts'

/** Inventories at the open that the levels are built from. */
const INVENTORIES = {
  /** Dealers' positions as imported. */
  imported: null,
  /** Open interest alone. */
  'open interest': 0,
  /** As after so many sessions in a row since open interest alone. */
  'carried 20': 20,
  'carried 75': 75,
} as const

type InventoryName = keyof typeof INVENTORIES
const INVENTORY_NAMES = Object.keys(INVENTORIES) as InventoryName[]

/** The kind of dealers that the simulation draws by itself. */
export const DRAWN_DEALERS: DealerKind = 'flip_below'

/** Inventories measured with kinds of dealers that the simulation does not draw by itself. */
const CARRIED: readonly InventoryName[] = ['carried 20', 'carried 75']

/**
 * One book over all minutes of all sessions, of one kind of dealers; errors in index points and $M
 * per point. A share or error over nothing is null.
 */
export type BookAccuracy = {
  readonly dealers: DealerKind
  readonly inventory: InventoryName
  readonly book_basis: string
  readonly sessions: number
  readonly minute_count: number
  /** Minutes in which the true book has a flip. */
  readonly flip_count: number
  /** Part of the gamma of open interest whose side is not guessed; mean over the minutes. */
  readonly measured_share: number | null
  /** Share of the minutes in which a flip is given, and in which it may be at any level. */
  readonly named_share: number
  readonly unbounded_share: number
  /** Share of the true flips that the interval holds; a minute without one holds nothing. */
  readonly covered_share: number | null
  /** The same of the minutes that have an interval. */
  readonly given_covered_share: number | null
  /** Standard errors of the covered shares, of sessions as wholes; null of a single one. */
  readonly covered_error: number | null
  readonly given_covered_error: number | null
  readonly least_covered_share: number | null
  readonly most_covered_share: number | null
  /** Minutes with a flip where the true book has none. */
  readonly invented_count: number
  readonly mean_width: number | null
  /** Share of the intervals that have an end where the scan ends. */
  readonly open_share: number | null
  readonly median_flip_error: number | null
  readonly high_flip_error: number | null
  /** Share of the minutes whose `p_positive` is above 0.9 or below 0.1, and how many are right. */
  readonly sure_share: number | null
  readonly sure_right_share: number | null
  readonly median_gamma_error: number
  readonly median_gamma: number
}

/** Stated probability of positive gamma, and the share of such minutes in which it was. */
export type ProbabilityClass = {
  readonly inventory: InventoryName
  /** 1 (below 0.1) to 6 (0.9 and more). */
  readonly class: number
  readonly minute_count: number
  readonly stated_share: number
  readonly observed_share: number
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
  /** Sessions measured with each further kind of dealers. */
  readonly dealer_sessions: number
  readonly books: readonly BookAccuracy[]
  readonly probabilities: readonly ProbabilityClass[]
  readonly surface: readonly SurfaceErrors[]
}

type LevelsOptions = {
  readonly prints: number
  readonly firstSeed: number
  /** Sessions, each with a seed of its own. */
  readonly sessions: number
  readonly contracts?: number
  /** Further kinds of dealers, and in how many of the sessions each is measured. */
  readonly dealers?: readonly DealerKind[]
  readonly dealerSessions?: number
}

const TRUTHS = ['prints', 'legs', 'parents', 'book', 'surface'] as const

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

/** Builds each session from every inventory at the open, and compares it with the true book. */
export async function measureLevels(options: LevelsOptions): Promise<LevelsAccuracy> {
  const { prints, contracts = 3_000, firstSeed, sessions, dealers = [] } = options
  const dealerSessions = dealers.length > 0 ? Math.min(options.dealerSessions ?? 0, sessions) : 0
  return withNewFolder('levels', async folder => {
    for (let number = 0; number < sessions; number++) {
      process.stderr.write(`  building levels: session ${number + 1} of ${sessions}\n`)
      const size = { prints, contracts, seed: firstSeed + number }
      await measureSession(folder, size, number < dealerSessions ? dealers : [])
    }
    return {
      prints,
      contracts,
      first_seed: firstSeed,
      sessions,
      dealer_sessions: dealerSessions,
      ...(await withParts(folder, { tables: PARTS, group: '*' }, measureTogether)),
    }
  })
}

const measureTogether = async (db: Database) => ({
  books: (await db.query('measure/level_errors')) as BookAccuracy[],
  probabilities: (await db.query('measure/probability_classes')) as ProbabilityClass[],
  surface: (await db.query('measure/surface_errors')) as SurfaceErrors[],
})

/** Builds one session and writes its measurements into the folder. */
async function measureSession(
  folder: string,
  size: TapeSize,
  others: readonly DealerKind[],
): Promise<void> {
  const out = join(folder, 'session')
  const { seed } = size
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  const store = (part: (typeof PARTS)[number], dealers: DealerKind) =>
    copyToParquet(db, {
      path: `measure/${part}`,
      file: partFile(folder, { table: part, group: dealers, session: seed }),
      params: { seed, dealers },
    })
  try {
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, out })
    await buildSimulated(db, out)
    await store('surface_quotes', DRAWN_DEALERS)
    await buildFewStates(db)
    const kinds: readonly DealerKind[] = [DRAWN_DEALERS, ...others]
    for (const dealers of kinds) {
      if (dealers !== DRAWN_DEALERS) await replaceDealers(db, size, dealers)
      const inventories = dealers === DRAWN_DEALERS ? INVENTORY_NAMES : CARRIED
      for (const inventory of inventories) await estimate(db, { dealers, inventory, seed })
    }
    for (const dealers of kinds) {
      await replaceDealers(db, size, dealers)
      await buildTrueLevels(db)
      await store('level_minutes', dealers)
    }
  } finally {
    db.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** Builds a simulated session up to its surface. */
export async function buildSimulated(db: Database, folder: string): Promise<void> {
  await loadSimulated(db, folder)
  await buildFold(db)
  await buildEditions(db)
  await buildSurface(db)
}

/** Builds the book of a few states of the session. */
export async function buildFewStates(db: Database): Promise<void> {
  await db.build('measure/all_minutes')
  await db.build('measure/minutes', { is_all: false }, 'tape.minutes')
  await buildBook(db)
}

/** Makes `measure.estimates`: the levels that the imported positions give. */
export const estimateImported = (db: Database, seed: number): Promise<void> =>
  estimate(db, { dealers: DRAWN_DEALERS, inventory: 'imported', seed })

/** Makes `measure.truth_book` of another kind of dealers, of the same seed and open interest. */
async function replaceDealers(db: Database, size: TapeSize, dealers: DealerKind): Promise<void> {
  const { date } = DEFAULT_OPTIONS
  const { seed, contracts } = size
  const market = createMarket(findTradingSession(date)!, seed)
  const chain = createChain(market, contracts, seed)
  const inventory = createInventory(market, chain, { seed, dealers })
  await fillContracts(db.connection, { chain, inventory })
  await db.build('simulate/truth_book', { session: date }, 'measure.truth_book')
}

type Estimated = {
  readonly dealers: DealerKind
  readonly inventory: InventoryName
  readonly seed: number
}

/** Adds the levels that one inventory at the open gives to `measure.estimates`. */
async function estimate(db: Database, { dealers, inventory, seed }: Estimated): Promise<void> {
  const sessions = INVENTORIES[inventory]
  if (sessions === null) {
    // the book is that of the imported positions already
    await buildLevels(db)
    await db.build('measure/estimates', { dealers, inventory })
    return
  }
  await db.run('delete from tape.dealer_positions')
  if (sessions > 0) {
    await db.build('measure/carried_positions', { seed, sessions }, 'tape.carried_positions')
  }
  await buildAgain(db, ['tape.dealer_positions', 'tape.carried_positions'])
  await db.add('measure/estimates', { dealers, inventory }, 'measure.estimates')
}

/** Builds again what follows from changed tables. */
function buildAgain(db: Database, changed: readonly string[]): Promise<void> {
  const stale = new Set(changed)
  const models = [...BOOK_MODELS, ...LEVELS_MODELS].filter(model => {
    const isStale = declaredReads(readSql(model)).some(read => stale.has(read))
    if (isStale) stale.add(model.replace('/', '.'))
    return isStale
  })
  return buildModels(db, models, buildModel)
}

async function loadSimulated(db: Database, folder: string): Promise<void> {
  await loadPastSession(db, DEFAULT_OPTIONS.date)
  const simulated: readonly string[] = [...TAPE_FILES, 'dealer_positions']
  for (const { name } of TAPE_DATASETS) {
    const order = name === 'prints' ? { orderBy: 'printed_at, sequence' } : {}
    const files = simulated.includes(name) ? [join(folder, `${name}.parquet`)] : []
    await loadFiles(db, `tape.${name}`, tapeColumns(name), files, order)
  }
  await createCarriedPositions(db)
  await loadExpiries(db)
  await db.run('create schema measure')
  await db.run('create schema simulate')
  for (const name of TRUTHS) {
    await loadParquet(db, `measure.truth_${name}`, join(folder, `truth_${name}.parquet`))
  }
}

/** Replaces the levels of the tape with those of the true book under the true surface. */
export async function buildTrueLevels(db: Database): Promise<void> {
  for (const [model, table] of Object.entries(TRUE_TABLES)) {
    await db.build(`measure/${model}`, {}, table)
  }
  await buildModels(db, TRUE_MODELS, buildModel)
}
