import type { Book } from '../data/published/books.ts'
import type { Freshness } from '../data/published/condition.ts'
import type { Grades } from './grades.ts'

/** Queries of sessions for other areas: values in, values out. */

/** Queries of finished sessions and of today's; each fails as the archive does. */
export type ArchiveAsk = {
  /** Finished sessions, oldest first. */
  readonly listSessions: () => Promise<readonly ListedSession[]>
  /** Grades of finished sessions: those of walls and of probabilities of positive gamma. */
  readonly readGrades: () => Grades
  /** A session by minute. */
  readonly readLevels: (wanted: WantedSession) => Promise<SessionLevels>
  /** The curve of each minute. */
  readonly readCurves: (wanted: WantedSession, book: Book) => Promise<SessionCurves>
  /** The ladder of each minute, or of the half hour of a minute. */
  readonly readLadders: (
    wanted: WantedSession,
    of: { readonly book: Book; readonly time: string | null },
  ) => Promise<SessionLadders>
  /** Quality measures of the tape of a finished session; null when older code stored none. */
  readonly readTape: (day: string) => Promise<Readonly<Record<string, unknown>> | null>
}

/**
 * A requested session. Today's session is served only to visitors who may see it: the page sets
 * `mayBeOpen` once it has checked that. It is then served as currently known.
 */
export type WantedSession = { readonly day: string; readonly mayBeOpen: boolean }

/** A listed session, with the state of its data. Index points. */
export type ListedSession = Freshness & {
  readonly day: string
  readonly revision: string
  /** Grade of its tape; null when not graded. */
  readonly grade: string | null
  readonly simulated: boolean
  readonly orders: number | null
  readonly open: number | null
  readonly close: number | null
  readonly flip_close: number | null
  /** Reason why the four are null; null when they are known. */
  readonly reason: 'not_kept' | 'damaged' | null
}

type Gap = { readonly from: string; readonly to: string; readonly minutes: number }

export type SessionLevels = {
  readonly day: string
  readonly revision: string
  readonly simulated: boolean
  readonly asof: string | null
  readonly min_premium?: number | undefined
  readonly tape?:
    | {
        readonly grade?: string | undefined
        readonly reasons?: readonly string[] | undefined
        readonly gaps?: readonly Gap[] | undefined
      }
    | undefined
  readonly note?: string | undefined
  /** Sessions in a row whose flow the opening inventory holds; absent when older code stored none. */
  readonly sessions_carried?: number | null | undefined
  readonly minutes: readonly string[]
  readonly books: Readonly<Record<Book, BookLevels>>
}

type LevelName = 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall' | 'net_gamma'

/** A list per level, an entry per minute. Index points; net gamma in $M per point. */
export type BookLevels = {
  readonly [Name in LevelName]: readonly (number | null)[]
} & {
  readonly reason: readonly (string | null)[]
  /** Probability that net gamma is positive; absent when older code stored none. */
  readonly p_positive?: readonly (number | null)[]
  /** Where the index is from, and the error of one by put-call parity; absent as above. */
  readonly spot_source?: readonly ('index' | 'parity' | null)[]
  readonly spot_error?: readonly (number | null)[]
}

export type SessionCurves = {
  readonly minutes: readonly string[]
  /** The grid: index points. */
  readonly from: number | null
  readonly step: number | null
  /** A list per minute; null outside the scanned range. */
  readonly net: readonly (readonly (number | null)[])[]
}

/** Gamma of the calls and of the puts of each strike, $M per point. */
export type SessionLadders = {
  readonly minutes: readonly string[]
  /** Ascending; null when there are none, and `reason` states why. */
  readonly strikes: readonly number[] | null
  /** A list per minute, in the order of the strikes; null for a strike not in the book. */
  readonly calls: readonly (readonly (number | null)[])[]
  readonly puts: readonly (readonly (number | null)[])[]
  readonly reason: 'not_published' | 'empty_book' | null
}
