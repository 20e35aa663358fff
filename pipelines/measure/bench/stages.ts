/** The stages of a build, each in this process with its yardstick on the same data and engine. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runOnOneThreadEach, type Work } from '../../../src/core/engine/concurrent.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { filePath } from '../../../src/core/engine/paths.ts'
import { readSql } from '../../../src/core/engine/sql.ts'
import { findTradingSession } from '../../../src/core/market/calendar.ts'
import { tapeFiles } from '../../../src/data/tape/manifest.ts'
import { droppingUnread } from '../../build/drops.ts'
import { buildEditions } from '../../build/editions.ts'
import { buildFold } from '../../build/fold.ts'
import { loadDay } from '../../build/loadDay.ts'
import { buildBook, buildLevels, buildSurface } from '../../build/surface.ts'
import { type Cost, fastest, fastestRun, measure } from './meter.ts'
import type { Bench, Rows } from './section.ts'
import { type BenchTape, laySession } from './tape.ts'

const THREADS = 2
/** Runs of the fold, and those of a yardstick before and after each. */
const FOLDS = 2
const YARDSTICK_RUNS = 3
const GAMMA_RUNS = 5
const INVERSION_RUNS = 3

/** The fold, and one read of the prints with two window sorts: the fastest of each. */
export async function measureFold(bench: Bench): Promise<Rows> {
  const tape = await laySession(bench)
  bench.say('folding beside the yardstick')
  const [file, ...others] = tapeFiles(tape.dataFolder, 'prints', tape.date)
  if (file === undefined || others.length > 0) throw new Error('not one file of prints')
  const runs: Record<'fold' | 'editions' | 'sorts', Cost>[] = []
  for (let run = 0; run < FOLDS; run++) {
    await onLoadedTape(tape, async db => {
      const sorts = () =>
        fastest(YARDSTICK_RUNS, () => db.build('measure/two_sorts', { file: filePath(file) }))
      // before and after the fold: a machine that is busy for a while disturbs both
      const before = await sorts()
      const folded = await fold(db)
      runs.push({ ...folded, sorts: fastestRun([before, await sorts()]) })
    })
  }
  const best = (name: 'fold' | 'editions' | 'sorts') => fastestRun(runs.map(run => run[name]))
  return {
    fold: { ...best('fold'), prints: tape.prints },
    'orders as the day knew them': best('editions'),
    'yardstick: one read, two window sorts': best('sorts'),
  }
}

/** Folds as in a build. */
async function fold(db: Database) {
  const after = droppingUnread()
  const alone = async (work: Work) =>
    (await measure(() => runOnOneThreadEach(db, THREADS, [work]))).cost
  return {
    fold: await alone(connection => buildFold(connection, {}, { after })),
    editions: await alone(connection => buildEditions(connection, {}, { after })),
  }
}

/** Surface, book and levels, and one gamma of every contract and minute. */
export async function measureSurface(bench: Bench): Promise<Rows> {
  const tape = await laySession(bench)
  bench.say('pricing beside the yardstick')
  return onLoadedTape(tape, async db => {
    await fold(db)
    const drop = droppingUnread()
    let yardstick: Rows[string] = {}
    let excluded: Cost = { seconds: 0, cpu_seconds: 0 }
    // the chain with its volatilities exists only inside the stage: the time to materialize it and
    // to run the yardstick there is subtracted from the stage's time
    const afterSurface = async (model: string) => {
      if (model !== 'surface/implied_vols') return drop(model, db)
      const { cost } = await measure(async () => {
        await db.build('measure/chain')
        const gammas = await fastest(GAMMA_RUNS, () => db.query('measure/chain_gammas'))
        const [chain] = await db.query('measure/chain_gammas')
        yardstick = { ...gammas, gammas: Number(chain!.gamma_count) }
        await db.run('drop table measure.chain')
      })
      excluded = cost
      await drop(model, db)
    }
    const { cost: all } = await measure(() => buildSurface(db, undefined, afterSurface))
    const { cost: book } = await measure(() => buildBook(db, drop))
    const { cost: levels } = await measure(() => buildLevels(db))
    const [grid] = await db.query('measure/grid_points')
    return {
      surface: {
        seconds: all.seconds - excluded.seconds,
        cpu_seconds: all.cpu_seconds - excluded.cpu_seconds,
      },
      book: { ...book, grid_points: Number(grid!.grid_points) },
      levels,
      'yardstick: one gamma a contract and minute': yardstick,
    }
  })
}

async function onLoadedTape<T>(
  { dataFolder, date }: BenchTape,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const temporaryFolder = join(dataFolder, 'spill')
  const size = { threads: THREADS, memoryLimit: '3GB' }
  const db = await openDatabase({ ...size, temporaryFolder, hasRegion: true })
  try {
    await db.run('create schema measure')
    await loadDay(db, findTradingSession(date)!, { dataFolder })
    return await work(db)
  } finally {
    db.close()
  }
}

/**
 * Implied volatilities of the same made-up prices by the product's macro and by the first ones the
 * project had, alternately; each in a separate database.
 */
export async function measureInversions(bench: Bench): Promise<Rows> {
  const { inversions, prototypeFile, say } = bench
  say(`inverting ${inversions} prices`)
  const ours = await openQuotes(inversions)
  const prototype = await openQuotes(inversions)
  try {
    const macros = prototypeFile
      ? readFileSync(prototypeFile, 'utf8')
      : readSql('measure/prototype')
    await prototype.run(macros)
    const runs = { ours: [] as Inverted[], prototype: [] as Inverted[] }
    for (let run = 0; run < INVERSION_RUNS; run++) {
      runs.ours.push(await invert(ours, 'measure/iv_ours'))
      runs.prototype.push(await invert(prototype, 'measure/iv_prototype'))
    }
    return {
      'implied volatilities': fastestRun(runs.ours),
      'yardstick: the prototype': fastestRun(runs.prototype),
    }
  } finally {
    ours.close()
    prototype.close()
  }
}

/** One way of inverting prices: its time, and its worst relative error. */
type Inverted = Cost & { readonly solved: number; readonly worst_error: number }

async function openQuotes(count: number) {
  const db = await openDatabase({ threads: THREADS })
  await db.run('create schema measure')
  await db.build('measure/iv_quotes', { quote_count: count })
  return db
}

async function invert(db: Database, path: string): Promise<Inverted> {
  const { cost, result } = await measure(() => db.query(path))
  const { solved_count, worst_error } = result[0]!
  return { ...cost, solved: Number(solved_count), worst_error: Number(worst_error) }
}
