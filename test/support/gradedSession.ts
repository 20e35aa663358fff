// A session of levels, strikes and index minutes as tables, and its grades by a second hand.

import type { Database } from '../../src/core/engine/database.ts'
import { makeTable } from './surface.ts'

export type GradedMinute = {
  readonly minute: string
  /** Index points; null: none. */
  readonly spot: number | null
  readonly move?: number | null
}

/** Levels of one book at a minute. */
export type StatedLevels = {
  readonly minute: string
  readonly book: string
  readonly spot: number | null
  readonly callWall: number | null
  readonly putWall: number | null
  readonly p?: number | null
  readonly reason?: string | null
}

export type StrikeGamma = {
  readonly minute: string
  readonly book: string
  readonly strike: number
  readonly call: number
  readonly put: number
}

export type GradedTables = {
  readonly date: string
  readonly minutes: readonly GradedMinute[]
  readonly levels: readonly StatedLevels[]
  readonly strikes: readonly StrikeGamma[]
}

/** Minutes of the PM close, in minutes of the day. */
export const CLOSE = 960

/** HH:MM of a minute of the day. */
export const toMinute = (number: number): string =>
  `${String(Math.floor(number / 60)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}`

export const minuteNumber = (minute: string): number =>
  Number(minute.slice(0, 2)) * 60 + Number(minute.slice(3))

/** Every state minute of a session with an index, 09:31 to 16:00. */
export const listMinutes = (): string[] =>
  Array.from({ length: CLOSE - 570 }, (_, index) => toMinute(571 + index))

/** Makes the tables that grades are made of, and the grades. */
export async function buildGrades(db: Database, tables: GradedTables): Promise<void> {
  const { date } = tables
  const text = 'varchar'
  const number = 'double'
  await makeTable(
    db as never,
    'ledger.market_minutes',
    {
      minute_et: text,
      minute_at: 'timestamp',
      seconds_left: 'integer',
      spot: number,
      expected_move_points: number,
    },
    tables.minutes.map(({ minute, spot, move = null }) => ({
      minute_et: minute,
      minute_at: `${date} ${minute}:00`,
      seconds_left: (CLOSE - minuteNumber(minute)) * 60,
      spot,
      expected_move_points: move,
    })),
  )
  await makeTable(
    db as never,
    'ledger.levels',
    {
      session_date: 'date',
      minute_et: text,
      book_basis: text,
      spot: number,
      call_wall: number,
      put_wall: number,
      p_positive: number,
      reason: text,
    },
    tables.levels.map(row => ({
      session_date: date,
      minute_et: row.minute,
      book_basis: row.book,
      spot: row.spot,
      call_wall: row.callWall,
      put_wall: row.putWall,
      p_positive: row.p ?? null,
      reason: row.reason ?? null,
    })),
  )
  await makeTable(
    db as never,
    'ledger.strikes',
    { minute_et: text, book_basis: text, strike: number, call_musd: number, put_musd: number },
    tables.strikes.map(row => ({
      minute_et: row.minute,
      book_basis: row.book,
      strike: row.strike,
      call_musd: row.call,
      put_musd: row.put,
    })),
  )
  await db.build('ledger/level_grades')
  await db.build('ledger/regime_grades')
}

/** Outcome of a strike stated at a minute, by walking through the minutes one by one. */
export function judgeByWalking(
  { minutes }: Pick<GradedTables, 'minutes'>,
  { minute, spot, strike }: { minute: string; spot: number; strike: number },
): string {
  if (Math.abs(strike - spot) <= 0.0005 * spot) return 'at_index'
  const isAbove = strike > spot
  const spots = new Map(minutes.map(each => [minuteNumber(each.minute), each.spot]))
  const from = minuteNumber(minute)
  /** Points that are left to the strike, below zero beyond it. */
  const left = (value: number) => (isAbove ? strike - value : value - strike)
  for (let at = from + 1; at <= from + 60; at++) {
    const value = spots.get(at)
    if (value === null) return 'no_index'
    if (value === undefined || left(value) > 0.0005 * spot) continue
    if (at + 30 > CLOSE) return 'too_late'
    const hold = Array.from({ length: 31 }, (_, index) => spots.get(at + index))
    if (hold.includes(null)) return 'no_index'
    return hold.some(later => left(later!) <= -0.001 * spot) ? 'broken' : 'held'
  }
  return 'untouched'
}
