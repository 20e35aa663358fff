/** Reads what became known of a running session, step by step, into the tables of sql/live. */

import { resolve } from 'node:path'
import type { Database, SeparateDatabase } from '../../core/engine/database.ts'
import { filePaths, formatList } from '../../core/engine/paths.ts'
import { findTradingSession, type Session, type SessionDate } from '../../core/market/calendar.ts'
import { RATES, tapeColumns, tapeDataset, tapeFiles } from '../tape/manifest.ts'
import { makeExpiries, type SeenExpiry, seenExpiries } from '../tape/session.ts'
import { loadDataset, loadFiles } from '../tape/tables.ts'
import type { RowRanges } from '../tape/window.ts'
import { announceStep, withTapeLock } from './lateData.ts'

/** Removes every row of a table. */
export async function emptyTable(db: Database, table: string): Promise<void> {
  if (!(await db.isEmpty(table))) await db.repeat(`truncate ${table}`)
}

/** The tape of a session as a running job knows it, without data that became known later. */
export type LiveTape = {
  /**
   * Finds the data that became known between two instants or was imported since the last call, and
   * reads its positions at the open.
   */
  readonly look: (sinceMs: number, untilMs: number) => Promise<LiveChanges>
  /** Counts the prints that became known in each minute between two instants, if any. */
  readonly countPrints: (sinceMs: number, untilMs: number) => Promise<readonly MinutePrints[]>
}

/** Data that became known to a state: read piece by piece, each before its dependents. */
export type LiveChanges = {
  /** True when a dataset that is read whole, such as open interest, has changed since the last call. */
  readonly hasHoldings: boolean
  /** Makes `live.arrivals` of the new prints, and adds them to `tape.prints`. */
  readonly readPrints: () => Promise<void>
  /**
   * Makes `live.state_quotes`, `live.state_spots` and `live.state_futures`, those of the new
   * states, in a separate database: it may run concurrently with the prints.
   */
  readonly readMinutes: () => Promise<void>
}

export type MinutePrints = {
  /** Start of the minute. UTC milliseconds. */
  readonly atMs: number
  readonly prints: number
}

/** Datasets that a state reads whole. */
const WHOLE_DATASETS: readonly string[] = ['open_interest', 'dealer_positions', 'rates']

/**
 * Datasets of which a state reads some minutes, and the instant these start at; of some also one
 * row of other minutes, which dates their first appearance on the tape.
 */
const MINUTE_DATASETS = [
  { name: 'quotes', from: 'since_ms', hasOthers: true },
  { name: 'spots', from: 'spots_from_ms', hasOthers: true },
  { name: 'futures', from: 'since_ms', hasOthers: false },
] as const

/** The index of the minute before a new state, and of the five before that which it may look at. */
const STATE_MS = 60_000
const SPOTS_BACK_MS = 6 * STATE_MS

/** A dataset of which a state reads some minutes, and the files that hold them. */
type MinuteFiles = {
  readonly name: string
  readonly hasOthers: boolean
  readonly paths: readonly string[]
}

/** Range of the minutes that states up to an instant read. */
function toRowRanges(fromMs: number, { until_ms }: StepSpan): RowRanges {
  const microseconds = (ms: number) => String(ms * 1000)
  return { at: [[microseconds(fromMs), microseconds(until_ms)]] }
}

/** The instants between which new states lie, as models take them. UTC milliseconds. */
export type StepSpan = {
  readonly since_ms: number
  readonly until_ms: number
  /** First instant of the index that they read. */
  readonly spots_from_ms: number
}

export function stepSpan(session: Session, sinceMs: number, untilMs: number): StepSpan {
  const backMs = sinceMs - SPOTS_BACK_MS
  const lastMs = session.closesAtMs - STATE_MS
  // the last state publishes the settlement, which may be any value from the PM close on
  const settles = sinceMs < lastMs && lastMs <= untilMs
  return {
    since_ms: sinceMs,
    until_ms: untilMs,
    spots_from_ms: settles ? Math.min(backMs, session.pmExpiresAtMs) : backMs,
  }
}

/** Opens the tape of a session for reading piece by piece. */
export async function openLiveTape(
  db: Database,
  dataFolder: string,
  date: SessionDate,
  symbol: string,
): Promise<LiveTape> {
  const session = findTradingSession(date)!
  const readPrints = await printReader(db)
  // official settlements come when the session is over
  await loadFiles(db, 'tape.settlements', tapeDataset('settlements').columns, [])
  // tables rebuilt there do not invalidate the plans of the first database
  const files = await db.openSeparate('files')
  const renew = createRenewer(files, date, symbol)
  const minutes = minuteReader(files, renew)

  /**
   * Lists the files of each dataset, once states up to an instant are announced; of one whose row
   * of other minutes is found, only those of the minutes that the states read.
   */
  const find = (span: StepSpan) =>
    withTapeLock(dataFolder, date, () => {
      announceStep(dataFolder, date, span.until_ms)
      // a concurrent import of a curve is before this or after it, too
      return withTapeLock(dataFolder, RATES, async () => {
        const paths = (name: string, ranges?: RowRanges) =>
          tapeFiles(dataFolder, name, date, ranges)
        return {
          prints: paths('prints'),
          holdings: WHOLE_DATASETS.map(name => ({ name, paths: paths(name) })),
          minutes: MINUTE_DATASETS.map(({ name, from, hasOthers }) => ({
            name,
            hasOthers,
            paths: paths(name, minutes.isSettled(name) ? toRowRanges(span[from], span) : undefined),
          })),
        }
      })
    })

  return {
    look: async (sinceMs, untilMs) => {
      const span = stepSpan(session, sinceMs, untilMs)
      const there = await find(span)
      let hasHoldings = false
      for (const { name, paths } of there.holdings) {
        if (!(await renew(name, paths))) continue
        await files.copyTo(`tape.${name}`, `tape.${name}`)
        hasHoldings = true
      }
      return {
        hasHoldings,
        readPrints: () => readPrints(there.prints, span),
        readMinutes: async () => {
          for (const minuteFiles of there.minutes) await minutes.read(minuteFiles, span)
        },
      }
    },
    countPrints: async (sinceMs, untilMs) => {
      const paths = tapeFiles(dataFolder, 'prints', date)
      if (paths.length === 0) return []
      const rows = await db.query('live/print_counts', {
        files: filePaths(paths),
        since_ms: sinceMs,
        until_ms: untilMs,
      })
      return rows.map(row => ({ atMs: Number(row.at_ms), prints: Number(row.print_count) }))
    },
  }
}

/** Makes `live.arrivals` of the prints that became known, and adds them to `tape.prints`. */
async function printReader(db: Database) {
  const columns = tapeColumns('prints')
  for (const table of ['tape.prints', 'live.arrivals']) await loadFiles(db, table, columns, [])
  // instant at which the last row of each file of prints becomes known
  const lastKnownMs = new Map<string, number>()

  return async (files: readonly string[], span: StepSpan): Promise<void> => {
    // as the engine names the file of a row
    const paths = files.map(file => resolve(file))
    const fresh = paths.filter(path => !lastKnownMs.has(path))
    const going = paths.filter(path => (lastKnownMs.get(path) ?? -1) >= span.since_ms)
    if (going.length + fresh.length === 0) return emptyTable(db, 'live.arrivals')
    const read = { files: filePaths([...going, ...fresh]), fresh: formatList(fresh) }
    await db.build('live/arrivals', { ...read, ...span })
    await db.append('tape.prints', 'from live.arrivals')
    if (fresh.length === 0) return
    const ends = await db.query('live/file_known_times', { files: filePaths(fresh) })
    for (const path of fresh) lastKnownMs.set(path, 0)
    for (const { filename, known_ms } of ends) lastKnownMs.set(String(filename), Number(known_ms))
  }
}

/** Loads a dataset when its files have changed; true when they have. */
type Renew = (name: string, paths: readonly string[]) => Promise<boolean>

function createRenewer(files: SeparateDatabase, sessionDate: SessionDate, symbol: string): Renew {
  const loaded = new Map<string, string>()
  return async (name, paths) => {
    const found = JSON.stringify(paths)
    if (loaded.get(name) === found) return false
    await loadDataset(files, tapeDataset(name), paths, { sessionDate, symbol })
    loaded.set(name, found)
    return true
  }
}

/** Makes `live.state_quotes`, `live.state_spots` and `live.state_futures`. */
function minuteReader(files: SeparateDatabase, renew: Renew) {
  /** The datasets whose row of other minutes is found: no later state looks for another. */
  const settled = new Set<string>(
    MINUTE_DATASETS.filter(({ hasOthers }) => !hasOthers).map(({ name }) => name),
  )
  return {
    isSettled: (name: string) => settled.has(name),
    read: async ({ name, hasOthers, paths }: MinuteFiles, span: StepSpan) => {
      const [minutes, others] = [`tape.state_${name}`, `tape.other_${name}`]
      await renew(name, paths)
      await files.build(`live/state_${name}`, span, minutes)
      if (!settled.has(name)) {
        await files.build(`live/other_${name}`, span, others)
        const [found] = await files.rows(`select is_old from ${others}`)
        if (found?.is_old) settled.add(name)
      }
      if (hasOthers) await files.append(minutes, `select * exclude (is_old) from ${others}`)
      await files.viewTo(minutes, `live.state_${name}`)
    },
  }
}

/** Adds the expiries of new rows to `tape.expiries`; true when there were any. */
export async function addExpiries(db: Database, seen: Map<string, SeenExpiry>): Promise<boolean> {
  const before = seen.size
  for (const one of await seenExpiries(db, 'live/seen_expiries')) {
    const key = `${one.root} ${one.expiry}`
    if (!seen.has(key)) seen.set(key, one)
  }
  if (seen.size === before) return false
  await makeExpiries(db, [...seen.values()])
  return true
}

/** Largest list in which the engine looks up values. */
const MOST_INVOLVED = 200

/** Adds the few prints of `live.cancel_candidates` to `live.involved`, by lookup. */
export async function addInvolved(db: Database): Promise<void> {
  const found = (await db.rows('from live.cancel_candidates')).map(row => Number(row.sequence))
  for (let from = 0; from < found.length; from += MOST_INVOLVED) {
    const part = found.slice(from, from + MOST_INVOLVED)
    const params = Object.fromEntries(part.map((sequence, index) => [`s${index}`, sequence]))
    const names = Object.keys(params).map(name => `$${name}::bigint`)
    await db.run(
      `insert into live.involved
       from tape.prints where sequence in (${names.join(', ')})
       order by printed_at, sequence`,
      params,
    )
  }
}
