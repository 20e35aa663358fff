import type { Database } from '../engine/database.ts'
import { readSql } from '../engine/sql.ts'
import type { SessionSummary } from '../published/manifest.ts'

/** Rows of a session that the archive is made of, as the stage `ledger` has them. */

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
  /** Why one of them is null. */
  readonly reason: string | null
}

/** By column: there are a hundred thousand of them. */
export type ProfileRows = {
  readonly book_basis: readonly string[]
  readonly minute_et: readonly string[]
  readonly index_point: readonly number[]
  readonly dealer_gamma_musd_per_point: readonly (number | null)[]
}

export type SessionRows = {
  readonly levels: readonly LevelRow[]
  readonly profiles: ProfileRows
}

/** The levels and profiles of the session in `ledger.levels` and `ledger.profiles`. */
export async function readSessionRows(db: Database): Promise<SessionRows> {
  const levels = await db.query('views/session_levels')
  const reader = await db.connection.runAndReadAll(readSql('views/session_profiles'))
  const [book_basis = [], minute_et = [], index_point = [], gammas = []] = reader.getColumnsJS()
  return {
    levels: levels as unknown as LevelRow[],
    profiles: {
      book_basis: book_basis as string[],
      minute_et: minute_et as string[],
      index_point: index_point as number[],
      dealer_gamma_musd_per_point: gammas as (number | null)[],
    },
  }
}

/** What a list of sessions says of those in `ledger.stats` and `ledger.levels`, by their days. */
export async function readSummaries(db: Database): Promise<ReadonlyMap<string, SessionSummary>> {
  const rows = await db.query('views/session_summaries')
  return new Map(
    rows.map(({ session_date, ...summary }) => [
      String(session_date),
      summary as unknown as SessionSummary,
    ]),
  )
}
