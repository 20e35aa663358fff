/** Tables of a session that grows minute by minute: thin wrappers, the rules are in sql/live. */

import { TAPE_DATASETS } from './datasets.ts'
import type { Database } from './duck.ts'
import { announceStep, withTapeLock } from './news.ts'
import { listOf } from './rows.ts'
import { makeExpiries, type SeenExpiry } from './session.ts'
import { loadTape, readTapeManifest, tapeFiles } from './tape.ts'

/** Adds the rows of one table to another, which is made when it is not there yet. */
export async function appendRows(db: Database, to: string, from: string): Promise<void> {
  await db.run(`create table if not exists ${to} as from ${from} limit 0`)
  await db.run(`insert into ${to} by name from ${from}`)
}

/** Takes every row out of a table, if there is one. */
export const emptyTable = (db: Database, table: string): Promise<void> =>
  db.run(`create or replace table ${table} as from ${table} limit 0`)

/** Whether a table has no row. */
export const isEmpty = async (db: Database, table: string): Promise<boolean> =>
  (await db.rows(`from ${table} limit 1`)).length === 0

/** Takes the orders that were folded again out of `fold.editions`, and puts the new ones in. */
export async function replaceEditions(db: Database): Promise<void> {
  for (const name of ['editions', 'edition_legs']) {
    await db.run(`create table if not exists fold.${name} as from live.step_${name} limit 0`)
  }
  const replaced = `select edition_id from fold.editions
    where last_printed_at >= (select replaced_from from live.span)`
  await db.run(`delete from fold.edition_legs where edition_id in (${replaced})`)
  await db.run(`delete from fold.editions where edition_id in (${replaced})`)
  await db.run('insert into fold.editions by name from live.refolded')
  await db.run(
    `insert into fold.edition_legs by name
     from live.step_edition_legs semi join live.refolded using (edition_id)`,
  )
}

/** The tape of a session as a running job knows it: what became known later is not in it. */
export type LiveTape = {
  /** Reads what became known between two instants, and what was imported since the last call. */
  readonly read: (sinceMs: number, untilMs: number) => Promise<void>
}

/**
 * Opens the tape of a session for reading piece by piece: `tape.prints` grows with each call, the
 * other tables are those of the dictionary.
 */
export async function openLiveTape(
  db: Database,
  dataFolder: string,
  date: string,
): Promise<LiveTape> {
  const columns = TAPE_DATASETS.find(({ name }) => name === 'prints')!.columns
  const names = columns.map(({ name }) => name).join(', ')
  const seenFiles = new Set<string>()
  let batches = ''

  const insert = (files: readonly string[], sinceMs: number, untilMs: number) =>
    db.run(
      `insert into tape.prints (${names})
       select ${names} from read_parquet($files::varchar[], hive_partitioning = false)
       where known_at >= make_timestamp($since::bigint * 1000)
         and known_at < make_timestamp($until::bigint * 1000)`,
      { files: listOf(files), since: sinceMs, until: untilMs },
    )

  const renew = async () => {
    const found = JSON.stringify(readTapeManifest(dataFolder, date).batches.map(b => b.file))
    if (found === batches) return
    await db.run('create schema if not exists kept')
    if (batches !== '') await db.run('create or replace table kept.prints as from tape.prints')
    await loadTape(db, dataFolder, date)
    await db.run('create or replace table tape.prints as from tape.prints limit 0')
    if (batches !== '') await db.run('insert into tape.prints by name from kept.prints')
    await db.run('drop schema kept cascade')
    batches = found
  }

  return {
    read: async (sinceMs, untilMs) => {
      const files = await withTapeLock(dataFolder, date, async () => {
        announceStep(dataFolder, date, untilMs)
        return tapeFiles(dataFolder, 'prints', date)
      })
      await renew()
      const fresh = files.filter(file => !seenFiles.has(file))
      const known = files.filter(file => seenFiles.has(file))
      if (known.length > 0) await insert(known, sinceMs, untilMs)
      // what a new file says of earlier minutes is known from now on
      if (fresh.length > 0) await insert(fresh, 0, untilMs)
      for (const file of fresh) seenFiles.add(file)
    },
  }
}

/** Adds the expiries of new rows to `tape.expiries`. */
export async function addExpiries(db: Database, seen: Map<string, SeenExpiry>): Promise<void> {
  const rows = await db.rows(
    `select distinct root, expiry::varchar as expiry from (
       select root, expiry from live.arrivals
       union all select root, expiry from live.state_quotes
       union all select root, expiry from tape.open_interest
       union all select root, expiry from tape.dealer_positions
     )`,
  )
  const before = seen.size
  for (const row of rows) {
    const expiry = { root: String(row.root), expiry: String(row.expiry) }
    seen.set(JSON.stringify(expiry), expiry)
  }
  if (seen.size > before) await makeExpiries(db, [...seen.values()])
}
