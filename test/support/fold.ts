import { buildFold } from '../../pipelines/build/fold.ts'
import type { Row } from '../../src/core/engine/database.ts'
import { findTradingSession } from '../../src/core/market/calendar.ts'
import { loadSession } from '../../src/data/tape/session.ts'
import { openTestDb, reuseDb, type TestDb } from './db.ts'
import type { ParentPrint } from './parentsTape.ts'

export type FoldDb = TestDb & {
  /** Adds prints; what a row leaves out is a plain SPXW call print of 13 October 2026. */
  readonly addPrints: (rows: readonly Row[]) => Promise<void>
  readonly fold: () => Promise<void>
  /** Sequences of each order, orders by their first print. */
  readonly parents: () => Promise<number[][]>
}

export type FoldSession = {
  readonly date?: string
  readonly symbol?: string
  readonly root?: string
  /** How long after the close prints may become known. */
  readonly slackMs?: number
  readonly threads?: number
  readonly cachesPlans?: boolean
}

/** A database with one session, ready to take prints and fold them. */
export async function openFoldDb(options: FoldSession = {}): Promise<FoldDb> {
  const { date = '2026-10-13', symbol = 'SPX', root = 'SPXW', slackMs = 3_600_000 } = options
  const { threads = 1, cachesPlans = false } = options
  const db = await openTestDb({ threads, cachesPlans })
  const session = findTradingSession(date)!
  const knownUntilMs = session.closesAtMs + slackMs
  await loadSession(db, { session, symbol, knownUntilMs, minPremiumUsd: 0 })
  const addPrints = async (rows: readonly Row[]) => {
    const columns = await db.rows(
      `select column_name, data_type from duckdb_columns()
       where schema_name = 'tape' and table_name = 'prints'`,
    )
    const shape = Object.fromEntries(columns.map(row => [row.column_name, row.data_type]))
    const defaults = {
      session_date: date,
      printed_at: `${date} 14:00:00`,
      root,
      expiry: '2026-10-14',
      strike: 6_000,
      option_type: 'C',
      size: 1,
      price: 5,
      known_at: `${date} 14:00:00`,
    }
    const full = rows.map((row, index) => ({ ...defaults, sequence: index + 1, ...row }))
    await db.run(
      `insert into tape.prints by name
       select unnest(from_json($rows, $shape), recursive := true)`,
      { rows: JSON.stringify(full), shape: JSON.stringify([shape]) },
    )
  }
  return {
    ...db,
    addPrints,
    fold: () => buildFold(db),
    parents: async () => {
      const rows = await db.rows(
        `select list(sequence::integer order by sequence) as sequences
         from fold.order_prints group by order_id order by min(sequence)`,
      )
      return rows.map(row => row.sequences as number[])
    },
  }
}

/**
 * Returns the worker's one database of the session of 13 October 2026, without prints: the fold of a
 * few prints costs a quarter of one in a database of its own. It replaces the one of the call before.
 */
export const reuseFoldDb = reuseDb(openFoldDb, db => db.run('truncate tape.prints'))

/** Instant of the test session, `us` microseconds after 10:00 ET. */
export const after = (us: number): string => {
  const [second, rest] = [Math.floor(us / 1e6), us % 1e6]
  const clock = new Date(Date.UTC(2026, 9, 13, 14, 0, second)).toISOString().slice(0, 19)
  return `${clock.replace('T', ' ')}.${String(rest).padStart(6, '0')}`
}

/** The prints of a tape as rows to add, each with a quote around its price. */
export const printRows = (prints: readonly ParentPrint[]) =>
  prints.map((print, index) => ({
    sequence: index + 1,
    printed_at: after(print.printedUs),
    expiry: print.expiry,
    strike: print.strike,
    option_type: print.optionType,
    size: print.size,
    price: print.cents / 100,
    condition: print.condition,
    exchange: 'C',
    best_bid: print.cents / 100 - 0.1,
    best_ask: print.cents / 100 + 0.15,
  }))

export type PackageLeg = { k: number; cp: string; exp: string; quantity: number }

/**
 * Prices in points for the legs of a package whose net, first leg bought, is `net`: a smooth value
 * each, and the remainder on the first leg of ratio one.
 */
export function listPrices(legs: readonly PackageLeg[], net: number): number[] {
  const fair = legs.map(({ k, cp, exp }) => {
    const deviation = 60 * Math.sqrt(Number(exp.slice(8)) - 12)
    const x = ((cp === 'C' ? 1 : -1) * (6_000 - k)) / deviation
    return Math.round(100 * (20 + deviation * Math.log1p(Math.exp(1.7 * x)) * 0.6))
  })
  const sum = legs.reduce((total, leg, i) => total + leg.quantity * fair[i]!, 0)
  const solo = legs.findIndex(leg => Math.abs(leg.quantity) === 1)
  fair[solo] = fair[solo]! + legs[solo]!.quantity * (Math.round(net * 100) - sum)
  return fair.map(cents => cents / 100)
}
