import { join } from 'node:path'
import { addDays, midnightMs, sessionOf } from '../src/market/calendar.ts'
import type { Database } from '../src/store/duck.ts'
import { loadConditions, loadSession } from '../src/store/session.ts'
import { tapeDataset } from '../src/store/tape.ts'
import { loadFiles, loadParquet } from '../src/store/tapeTables.ts'

/** Loads a simulated tape, ready to fold, and into `accuracy` the true orders behind it. */
export async function loadTruth(db: Database, folder: string, date: string): Promise<void> {
  const session = sessionOf(date)!
  await loadConditions(db)
  const knownUntilMs = midnightMs(addDays(date, 1))
  await loadSession(db, { session, symbol: 'SPX', knownUntilMs, minPremiumUsd: 0 })
  const prints = [join(folder, 'prints.parquet')]
  const { columns } = tapeDataset('prints')
  await loadFiles(db, 'tape.prints', columns, prints, { orderBy: 'printed_at, sequence' })
  await db.run('create schema accuracy')
  for (const name of ['truth_parents', 'truth_prints', 'truth_legs']) {
    await loadParquet(db, `accuracy.${name}`, join(folder, `${name}.parquet`))
  }
}
