import type { Database } from '../core/engine/database.ts'
import { readSql } from '../core/engine/sql.ts'
import type { SessionSummary } from '../data/published/manifest.ts'

/** Rows of a session that the archive is built from, as in the stage `ledger`. */

export type LevelRow = {
  readonly book_basis: string
  readonly minute_et: string
  readonly spot: number | null
  readonly flip: number | null
  readonly flip_lo: number | null
  readonly flip_hi: number | null
  readonly call_wall: number | null
  readonly put_wall: number | null
  readonly net_gamma_musd_per_point: number | null
  /** Reason why one of them is null. */
  readonly reason: string | null
  /** Probability that net gamma is positive; absent when older code stored none. */
  readonly p_positive?: number | null
  /** Sessions in a row whose flow the opening inventory holds; absent as above. */
  readonly sessions_carried?: number | null
  /** 'index' or 'parity', and the error of the latter in points; absent as above. */
  readonly spot_source?: 'index' | 'parity' | null
  readonly spot_error?: number | null
}

/** By column: there are a hundred thousand of them. */
export type ProfileRows = {
  readonly book_basis: readonly string[]
  readonly minute_et: readonly string[]
  readonly index_point: readonly number[]
  readonly dealer_gamma_musd_per_point: readonly (number | null)[]
}

/** By column too: dealer gamma of the calls and the puts of a strike, $M per index point. */
export type StrikeRows = {
  readonly book_basis: readonly string[]
  readonly minute_et: readonly string[]
  readonly strike: readonly number[]
  readonly call_musd: readonly (number | null)[]
  readonly put_musd: readonly (number | null)[]
}

export type SessionRows = {
  readonly levels: readonly LevelRow[]
  readonly profiles: ProfileRows
  /** Absent when older code stored none. */
  readonly strikes?: StrikeRows
}

/** The levels, profiles and strikes of the session in the tables of the stage `ledger`. */
export async function readSessionRows(db: Database): Promise<SessionRows> {
  const levels = await db.query('views/session_levels')
  const reader = await db.connection.runAndReadAll(readSql('views/session_profiles'))
  const [book_basis = [], minute_et = [], index_point = [], gammas = []] = reader.getColumnsJS()
  const ladders = await db.connection.runAndReadAll(readSql('views/session_strikes'))
  const [books = [], minutes = [], strikes = [], calls = [], puts = []] = ladders.getColumnsJS()
  return {
    levels: levels as unknown as LevelRow[],
    profiles: {
      book_basis: book_basis as string[],
      minute_et: minute_et as string[],
      index_point: index_point as number[],
      dealer_gamma_musd_per_point: gammas as (number | null)[],
    },
    strikes: {
      book_basis: books as string[],
      minute_et: minutes as string[],
      strike: strikes as number[],
      call_musd: calls as (number | null)[],
      put_musd: puts as (number | null)[],
    },
  }
}

/** Summaries of the sessions in `ledger.stats` and `ledger.levels` for a list, by day. */
export async function readSummaries(db: Database): Promise<ReadonlyMap<string, SessionSummary>> {
  const rows = await db.query('views/session_summaries')
  return new Map(
    rows.map(({ session_date, ...summary }) => [
      String(session_date),
      summary as unknown as SessionSummary,
    ]),
  )
}
