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
export type ProfileRows = Lists<{
  book_basis: string
  minute_et: string
  index_point: number
  dealer_gamma_musd_per_point: number | null
}>

/** By column too: dealer gamma of the calls and the puts of a strike, $M per index point. */
export type StrikeRows = Lists<{
  book_basis: string
  minute_et: string
  strike: number
  call_musd: number | null
  put_musd: number | null
}>

type Lists<Row> = { readonly [Name in keyof Row]: readonly Row[Name][] }

export type SessionRows = {
  readonly levels: readonly LevelRow[]
  readonly profiles: ProfileRows
  /** Absent when older code stored none. */
  readonly strikes?: StrikeRows
}

/** The levels, profiles and strikes of the session in the tables of the stage `ledger`. */
export async function readSessionRows(db: Database): Promise<SessionRows> {
  const readColumns = async <Columns>(query: string) =>
    (await db.connection.runAndReadAll(readSql(query))).getColumnsObjectJS() as Columns
  return {
    levels: (await db.query('views/session_levels')) as unknown as LevelRow[],
    profiles: await readColumns<ProfileRows>('views/session_profiles'),
    strikes: await readColumns<StrikeRows>('views/session_strikes'),
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
