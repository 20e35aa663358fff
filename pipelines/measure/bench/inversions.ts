import { readFileSync } from 'node:fs'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { readSql } from '../../../src/core/engine/sql.ts'
import { fastestRun, measure, type Taken } from './meter.ts'

/** One way of inverting prices: its fastest time, and its worst relative error. */
type Inverted = Taken & { readonly solved_count: number; readonly worst_error: number }

export type InversionSpeed = {
  readonly quote_count: number
  readonly ours: Inverted
  readonly prototype: Inverted
}

const RUNS = 3

/**
 * Measures implied volatilities of the same made-up prices by the product's macro and by the first
 * ones the project had, alternately; each in a separate database, with two threads.
 */
export async function measureInversions(
  quoteCount: number,
  prototypeFile?: string,
): Promise<InversionSpeed> {
  const ours = await openQuotes(quoteCount)
  const prototype = await openQuotes(quoteCount)
  try {
    await prototype.run(
      prototypeFile === undefined
        ? readSql('measure/prototype')
        : readFileSync(prototypeFile, 'utf8'),
    )
    const runs = { ours: [] as Inverted[], prototype: [] as Inverted[] }
    for (let run = 0; run < RUNS; run++) {
      runs.ours.push(await invert(ours, 'measure/iv_ours'))
      runs.prototype.push(await invert(prototype, 'measure/iv_prototype'))
    }
    return {
      quote_count: quoteCount,
      ours: fastestRun(runs.ours),
      prototype: fastestRun(runs.prototype),
    }
  } finally {
    ours.close()
    prototype.close()
  }
}

async function openQuotes(quoteCount: number) {
  const db = await openDatabase({ threads: 2 })
  await db.run('create schema measure')
  await db.build('measure/iv_quotes', { quote_count: quoteCount })
  return db
}

async function invert(db: Database, path: string): Promise<Inverted> {
  const { taken, result } = await measure(() => db.query(path))
  const { solved_count, worst_error } = result[0]!
  return { ...taken, solved_count: Number(solved_count), worst_error: Number(worst_error) }
}
