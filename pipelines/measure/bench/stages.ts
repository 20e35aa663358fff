import { join } from 'node:path'
import { runOnOneThreadEach, type Work } from '../../../src/core/engine/concurrent.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { filePath } from '../../../src/core/engine/paths.ts'
import { findTradingSession } from '../../../src/core/market/calendar.ts'
import { tapeFiles } from '../../../src/data/tape/manifest.ts'
import { droppingUnread } from '../../build/drops.ts'
import { buildEditions } from '../../build/editions.ts'
import { buildFold } from '../../build/fold.ts'
import { loadDay } from '../../build/loadDay.ts'
import { buildBook, buildLevels, buildSurface } from '../../build/surface.ts'
import { fastest, fastestRun, measure, sumTaken, type Taken } from './meter.ts'
import { groupWithPolars } from './polars.ts'
import type { BenchTape } from './tape.ts'

export type FoldSpeed = {
  readonly print_count: number
  /** The faster of two. */
  readonly fold: Taken
  /** Orders as they were known through the day, after the fold; older records lack it. */
  readonly editions?: Taken
  /** One read of the prints and two window sorts, the fastest of several. */
  readonly two_sorts: Taken
  /** Prints of one instant and root as one order, the fastest of several. */
  readonly instants: {
    readonly group_count: number
    readonly duckdb: Taken
    readonly polars: Taken | null
  }
}

export type LevelsSpeed = {
  readonly surface: Taken
  readonly book: Taken
  readonly levels: Taken
  /** One gamma of every contract and minute, the fastest of several. */
  readonly chain_gammas: Taken
  readonly chain_gamma_count: number
  /** Index steps at which each minute's book is known. */
  readonly grid_points: number
}

export type StageSpeeds = { readonly fold: FoldSpeed; readonly levels: LevelsSpeed | null }

const THREADS = 2
/** Runs of a yardstick, of which the fastest counts: the strictest comparison. */
const YARDSTICK_RUNS = 5

/**
 * Compares the stages of a build with their yardsticks, in this process, on the same data, with the
 * same engine. The levels need the fold, so they are measured after it or not at all.
 */
export async function measureStages(tape: BenchTape, hasLevels: boolean): Promise<StageSpeeds> {
  const first = await onLoadedTape(tape, db => measureFold(db, printsFile(tape)))
  return onLoadedTape(tape, async db => {
    const second = await measureFold(db, printsFile(tape))
    const fold = fasterFold(first, second)
    return { fold, levels: hasLevels ? await measureLevels(db) : null }
  })
}

async function onLoadedTape<T>(
  { dataFolder, date }: BenchTape,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const temporaryFolder = join(dataFolder, 'spill')
  const db = await openDatabase({
    threads: THREADS,
    memoryLimit: '3GB',
    temporaryFolder,
    hasRegion: true,
  })
  try {
    await db.run('create schema measure')
    await loadDay(db, findTradingSession(date)!, { dataFolder })
    return await work(db)
  } finally {
    db.close()
  }
}

/** The fastest of each, of the fold as of its yardsticks. */
function fasterFold(first: FoldSpeed, second: FoldSpeed): FoldSpeed {
  const editions = [first, second].flatMap(speed => speed.editions ?? [])
  const of = (choose: (speed: FoldSpeed) => Taken) => fastestRun([choose(first), choose(second)])
  const polars = [first, second].flatMap(({ instants }) => instants.polars ?? [])
  return {
    ...second,
    fold: of(speed => speed.fold),
    ...(editions.length > 0 && { editions: fastestRun(editions) }),
    two_sorts: of(speed => speed.two_sorts),
    instants: {
      ...second.instants,
      duckdb: of(speed => speed.instants.duckdb),
      polars: polars.length > 0 ? fastestRun(polars) : null,
    },
  }
}

/** Prints of the session that one import wrote to the tape. */
function printsFile({ dataFolder, date }: BenchTape): string {
  const [file, ...others] = tapeFiles(dataFolder, 'prints', date)
  if (file === undefined || others.length > 0)
    throw new Error(`${others.length + 1} files of prints`)
  return file
}

async function measureFold(db: Database, file: string): Promise<FoldSpeed> {
  const runs = Math.ceil(YARDSTICK_RUNS / 2)
  const sorts = () => fastest(runs, () => db.build('measure/two_sorts', { file: filePath(file) }))
  const group = () => fastest(runs, () => db.build('measure/instants', { file: filePath(file) }))
  // before and after the fold: a machine that is busy for a while disturbs both
  const before = { sorts: await sorts(), duckdb: await group() }
  const after = droppingUnread()
  // as in a build
  const alone = (work: Work) => measure(() => runOnOneThreadEach(db, THREADS, [work]))
  const { taken: fold } = await alone(connection => buildFold(connection, {}, { after }))
  const { taken: editions } = await alone(connection => buildEditions(connection, {}, { after }))
  const again = { sorts: await sorts(), duckdb: await group() }
  const [counted] = await db.query('measure/instant_counts')
  await db.run('drop table measure.two_sorts')
  await db.run('drop table measure.instants')
  return {
    print_count: Number(counted!.prints),
    fold,
    editions,
    two_sorts: fastestRun([before.sorts, again.sorts]),
    instants: {
      group_count: Number(counted!.groups),
      duckdb: fastestRun([before.duckdb, again.duckdb]),
      polars: await groupWithPolars(file, YARDSTICK_RUNS, Number(counted!.groups)),
    },
  }
}

async function measureLevels(db: Database): Promise<LevelsSpeed> {
  const yardstick: Taken[] = []
  const counts: number[] = []
  const excluded: Taken[] = []
  // the chain with its volatilities exists only inside the stage: the time to materialize it and to
  // run the yardstick there is subtracted from the stage's time
  const drop = droppingUnread()
  const afterSurface = async (model: string) => {
    if (model !== 'surface/implied_vols') return drop(model, db)
    const { taken } = await measure(async () => {
      await db.build('measure/chain')
      yardstick.push(await fastest(YARDSTICK_RUNS, () => db.query('measure/chain_gammas')))
      const [chain] = await db.query('measure/chain_gammas')
      counts.push(Number(chain!.gamma_count))
      await db.run('drop table measure.chain')
    })
    excluded.push(taken)
    await drop(model, db)
  }
  const { taken: all } = await measure(() => buildSurface(db, undefined, afterSurface))
  const surface = withoutTaken(all, sumTaken(excluded))
  const { taken: book } = await measure(() => buildBook(db, drop))
  const { taken: levels } = await measure(() => buildLevels(db))
  const [grid] = await db.query('measure/grid_points')
  return {
    surface,
    book,
    levels,
    chain_gammas: yardstick[0]!,
    chain_gamma_count: counts[0]!,
    grid_points: Number(grid!.grid_points),
  }
}

const withoutTaken = (all: Taken, part: Taken): Taken => ({
  seconds: all.seconds - part.seconds,
  cpu_seconds: all.cpu_seconds - part.cpu_seconds,
})
