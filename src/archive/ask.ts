import type { z } from 'zod'
import type { Book } from '../data/published/books.ts'
import type { Named } from '../platform/http/fields.ts'
import type {
  ArchiveDays,
  ArchiveGamma,
  ArchiveGrades,
  ArchiveSession,
  ArchiveStrikes,
} from './schema.ts'

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

/** A listed session, with the state of its data. */
export type ListedSession = z.infer<typeof ArchiveDays>['days'][number]
export type Grades = z.infer<typeof ArchiveGrades>
export type SessionLevels = Omit<Named<typeof ArchiveSession>, 'curve' | 'orders'>
/** A list per level, an entry per minute. */
export type BookLevels = SessionLevels['books'][Book]
export type SessionCurves = Omit<Named<typeof ArchiveGamma>, Head>
/** Gamma of the calls and of the puts of each strike. */
export type SessionLadders = Omit<Named<typeof ArchiveStrikes>, Head>

type Head = 'day' | 'revision' | 'simulated' | 'book'
