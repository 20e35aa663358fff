import { join } from 'node:path'
import type { Database } from '../../src/core/engine/database.ts'
import { addDays, findTradingSession, midnightMs } from '../../src/core/market/calendar.ts'
import { tapeColumns } from '../../src/data/tape/manifest.ts'
import { loadConditions, loadSession } from '../../src/data/tape/session.ts'
import { loadFiles, loadParquet } from '../../src/data/tape/tables.ts'

/** Loads what is known of a session after its day, with orders of every size. */
export async function loadPastSession(db: Database, date: string, symbol = 'SPX'): Promise<void> {
  const session = findTradingSession(date)!
  const knownUntilMs = midnightMs(addDays(date, 1))
  await loadConditions(db)
  await loadSession(db, { session, symbol, knownUntilMs, minPremiumUsd: 0 })
}

/** Loads a simulated tape, ready to fold, and into `accuracy` the true orders behind it. */
export async function loadTruth(db: Database, folder: string, date: string): Promise<void> {
  await loadPastSession(db, date)
  const prints = [join(folder, 'prints.parquet')]
  const columns = tapeColumns('prints')
  await loadFiles(db, 'tape.prints', columns, prints, { orderBy: 'printed_at, sequence' })
  await db.run('create schema measure')
  for (const name of ['truth_parents', 'truth_prints', 'truth_legs']) {
    await loadParquet(db, `measure.${name}`, join(folder, `${name}.parquet`))
  }
}
