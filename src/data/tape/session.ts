import { join } from 'node:path'
import type { Database } from '../../core/engine/database.ts'
import { filePath } from '../../core/engine/paths.ts'
import { findSettlement } from '../../core/engine/roots.ts'
import { REFERENCE_FOLDER, readSql } from '../../core/engine/sql.ts'
import {
  endDay,
  expiresAtMs,
  listMinutes,
  neighbourSession,
  type Session,
} from '../../core/market/calendar.ts'

export type SessionTables = {
  readonly session: Session
  /** Product of the session's tape, such as 'SPX'. */
  readonly symbol: string
  /** Rows known at or after this instant do not exist for the build. UTC milliseconds. */
  readonly knownUntilMs: number
  /** Smallest gross premium of a ledger order, USD. */
  readonly minPremiumUsd: number
  /** True when a simulator made the tape. */
  readonly isSimulated?: boolean
}

/** Number of sessions ahead in which contracts traded by a test of a rule may expire. */
const SESSIONS_AHEAD = 5

/**
 * Makes `tape.conditions` from the reference table of OPRA message types, each with the class of
 * market that its prints come from.
 */
export async function loadConditions(db: Database): Promise<void> {
  await db.build('tape/conditions', { file: filePath(join(REFERENCE_FOLDER, 'conditions.csv')) })
}

/** Makes `tape.limits`: values from which a measure of the tape is doubtful, bad or refused. */
export async function loadTapeLimits(db: Database): Promise<void> {
  await db.build('tape/limits', { file: filePath(join(REFERENCE_FOLDER, 'tape_limits.csv')) })
}

/** Makes `fold.side_rates`: how often orders of a kind go the way their price leans. */
export async function loadSideRates(db: Database): Promise<void> {
  await db.build('fold/side_rates', { file: filePath(join(REFERENCE_FOLDER, 'side_rates.csv')) })
}

/**
 * Makes `tape.session`, `tape.minutes` and `tape.next_sessions` from the calendar,
 * `tape.guess_shares` from data/reference, and, where there
 * are none, empty tables of judged prints: `tape.set_apart`, the prints that audits took out of
 * the session, and `tape.silent_codes`.
 */
export async function loadSession(db: Database, tables: SessionTables): Promise<void> {
  const { session, symbol, knownUntilMs, minPremiumUsd, isSimulated = false } = tables
  await db.build('tape/session', {
    date: session.date,
    symbol,
    opens_ms: session.opensAtMs,
    closes_ms: session.closesAtMs,
    expires_ms: session.pmExpiresAtMs,
    is_half_day: session.isHalfDay,
    known_until_ms: knownUntilMs,
    min_premium_usd: minPremiumUsd,
    is_simulated: isSimulated,
  })
  await db.build('tape/guess_shares', {
    file: filePath(join(REFERENCE_FOLDER, 'guess_shares.csv')),
  })
  await db.run('create table if not exists tape.set_apart (sequence bigint, audit varchar)')
  await db.run('create table if not exists tape.silent_codes (sequence bigint)')
  const minutes = listMinutes(session).map(({ minute, atMs }) => ({ minute, at_ms: atMs }))
  await db.make('tape.minutes', readSql('tape/minutes'), { minutes: JSON.stringify(minutes) })
  const dates = [session.date]
  while (dates.length <= SESSIONS_AHEAD) dates.push(neighbourSession(dates.at(-1)!, 1).date)
  await db.build('tape/next_sessions', { dates: JSON.stringify(dates) })
}

/**
 * Makes `tape.expiries`: expiry times of every contract of the session's symbol in prints, quotes
 * and positions, with the instant from which each was known.
 */
export async function loadExpiries(db: Database): Promise<void> {
  await makeExpiries(db, await seenExpiries(db, 'tape/seen_expiries'))
}

export type SeenExpiry = {
  readonly root: string
  readonly expiry: string
  /** UTC; '-infinity': before the session. */
  readonly known_at: string
}

/** The expiries of contracts of the session's symbol, each as early as it was known. */
export const seenExpiries = async (
  db: Database,
  path: 'tape/seen_expiries' | 'live/seen_expiries',
): Promise<readonly SeenExpiry[]> => (await db.query(path)) as SeenExpiry[]

/** Makes `tape.expiries` of the expiries seen so far, as the open session knows them. */
export async function makeExpiries(db: Database, seen: readonly SeenExpiry[]): Promise<void> {
  if (seen.length === 0) return db.build('tape/expiries', { expiries: '[]' })
  const [session] = await db.rows('select session_date::varchar as date from tape.session')
  const asOf = String(session!.date)
  const expiries = seen.map(contract => {
    const settlement = findSettlement(contract.root)
    return {
      ...contract,
      settlement,
      ends_on: endDay(contract.expiry, settlement, asOf),
      at_ms: expiresAtMs(contract.expiry, settlement, asOf),
    }
  })
  await db.build('tape/expiries', { expiries: JSON.stringify(expiries) })
}
