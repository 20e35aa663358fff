/** Grades of all sessions together, with errors that count each session as one observation. */

import { ERRATA } from '../data/published/errata.ts'
import type { GradeSums, PublishedManifest } from '../data/published/manifest.ts'
import type { Grades } from './ask.ts'

/** A share with one standard deviation of it; null below two sessions that have any. */
type Share = { readonly share: number | null; readonly error: number | null }

type Group = Grades['groups'][number]

const MEASURED = 'measured'
const NOT_GRADED = 'not_graded'

/** Adds up the grades of sessions with levels, oldest first. */
export function gradeSessions(stated: readonly PublishedManifest[]): Grades {
  return {
    groups: [false, true].flatMap(simulated => {
      const graded = stated
        .filter(manifest => manifest.simulated === simulated)
        .flatMap(({ grades }) => grades ?? [])
      return graded.length === 0
        ? []
        : {
            simulated,
            sessions: graded.length,
            levels: sumLevels(graded),
            regimes: sumRegimes(graded),
          }
    }),
    sessions: stated.map(gradeSession),
    errata: ERRATA,
  }
}

type Counts = { readonly touched: number; readonly held: number }
const NO_COUNTS: Counts = { touched: 0, held: 0 }

function sumLevels(sessions: readonly GradeSums[]): Group['levels'] {
  const groups = groupBySession(sessions, ({ levels }) => levels, toKey)
  const grades = [...groups].map(([key, rows]) => {
    const [book, kind, role] = key.split(' ') as [string, string, string]
    const counts = rows.map(row => row ?? NO_COUNTS)
    const { share, error } = clusteredShare(counts)
    const wall = role === 'level' ? undefined : groups.get(toKey({ book, kind, role: 'level' }))
    const over = wall
      ? clusteredDifference(
          wall.map(row => row ?? NO_COUNTS),
          counts,
        )
      : UNKNOWN
    return {
      book,
      kind,
      role,
      judged: sum(rows.map(row => row?.judged ?? 0)),
      touched: sum(counts.map(({ touched }) => touched)),
      held: sum(counts.map(({ held }) => held)),
      held_share: share,
      held_error: error,
      wall_over_it: over.share,
      wall_over_it_error: over.error,
    }
  })
  return grades.sort(
    (one, other) =>
      BOOK_ORDER.indexOf(one.book) - BOOK_ORDER.indexOf(other.book) ||
      one.kind.localeCompare(other.kind) ||
      ROLE_ORDER.indexOf(one.role) - ROLE_ORDER.indexOf(other.role),
  )
}

const BOOK_ORDER = ['measured', 'oi', 'vol']
const ROLE_ORDER = ['level', 'rank', 'random']
const UNKNOWN: Share = { share: null, error: null }

const toKey = ({ book, kind, role }: { book: string; kind: string; role: string }): string =>
  `${book} ${kind} ${role}`

/** The rows of each key, one place a session; undefined where a session has none. */
function groupBySession<Row>(
  sessions: readonly GradeSums[],
  list: (session: GradeSums) => readonly Row[],
  toName: (row: Row) => string,
): ReadonlyMap<string, readonly (Row | undefined)[]> {
  const groups = new Map<string, (Row | undefined)[]>()
  for (const [index, session] of sessions.entries()) {
    for (const row of list(session)) {
      const rows =
        groups.get(toName(row)) ?? Array<Row | undefined>(sessions.length).fill(undefined)
      rows[index] = row
      groups.set(toName(row), rows)
    }
  }
  return groups
}

/**
 * Share of touched strikes that held. Strikes of a session share its course, so that each session is
 * one observation: the error is that of a ratio of sums over sessions.
 */
function clusteredShare(sessions: readonly Counts[]): Share {
  const touched = sum(sessions.map(session => session.touched))
  if (touched === 0) return UNKNOWN
  const share = sum(sessions.map(({ held }) => held)) / touched
  const parts = sessions.map(session => (session.held - share * session.touched) / touched)
  return { share, error: clusteredError(parts, sessions) }
}

/** Difference of two such shares of the same sessions, with its error. */
function clusteredDifference(one: readonly Counts[], other: readonly Counts[]): Share {
  const [first, second] = [clusteredShare(one), clusteredShare(other)]
  if (first.share === null || second.share === null) return UNKNOWN
  const [firstTouched, secondTouched] = [one, other].map(counts =>
    sum(counts.map(({ touched }) => touched)),
  )
  const both = one.map(({ touched, held }, index) => ({
    touched: touched + other[index]!.touched,
    part:
      (held - first.share! * touched) / firstTouched! -
      (other[index]!.held - second.share! * other[index]!.touched) / secondTouched!,
  }))
  return {
    share: first.share - second.share,
    error: clusteredError(
      both.map(({ part }) => part),
      both,
    ),
  }
}

/** One standard deviation of a sum of parts, one a session; null below two sessions with any. */
function clusteredError(
  parts: readonly number[],
  sessions: readonly { readonly touched: number }[],
): number | null {
  const count = sessions.filter(({ touched }) => touched > 0).length
  if (count < 2) return null
  return Math.sqrt((sum(parts.map(part => part * part)) * count) / (count - 1))
}

function sumRegimes(sessions: readonly GradeSums[]): Group['regimes'] {
  const books = new Set(sessions.flatMap(({ regimes }) => regimes.map(({ book }) => book)))
  return BOOK_ORDER.filter(book => books.has(book)).map(book => {
    const rows = sessions.map(({ regimes }) => regimes.filter(row => row.book === book))
    const all = rows.flat()
    const judged = sum(all.map(row => row.judged))
    const calmShare = sum(all.map(row => row.calm)) / judged
    const brier = sum(all.map(row => row.square_sum)) / judged
    const counts = rows.map(session => ({ touched: sum(session.map(row => row.judged)) }))
    const parts = rows.map(
      (session, index) =>
        (sum(session.map(row => row.square_sum)) - brier * counts[index]!.touched) / judged,
    )
    const bins = Map.groupBy(all, row => row.bin)
    return {
      book,
      judged,
      calm_share: calmShare,
      brier,
      brier_error: clusteredError(parts, counts),
      constant_brier: calmShare * (1 - calmShare),
      bins: [...bins]
        .sort(([one], [other]) => one - other)
        .map(([bin, rowsOfBin]) => {
          const inBin = sum(rowsOfBin.map(row => row.judged))
          return {
            from: bin / 10,
            to: (bin + 1) / 10,
            judged: inBin,
            stated: sum(rowsOfBin.map(row => row.probability_sum)) / inBin,
            calm: sum(rowsOfBin.map(row => row.calm)) / inBin,
          }
        }),
    }
  })
}

function gradeSession(manifest: PublishedManifest): Grades['sessions'][number] {
  const { session_date: day, revision, simulated, grades } = manifest
  const levels = grades?.levels.filter(({ book, role }) => book === MEASURED && role === 'level')
  const regimes = grades?.regimes.filter(({ book }) => book === MEASURED) ?? []
  const judged = sum(regimes.map(row => row.judged))
  return {
    day,
    revision,
    simulated,
    judged: sum((levels ?? []).map(row => row.judged)),
    touched: sum((levels ?? []).map(row => row.touched)),
    held: sum((levels ?? []).map(row => row.held)),
    brier: judged === 0 ? null : sum(regimes.map(row => row.square_sum)) / judged,
    reason: grades ? grades.reason : NOT_GRADED,
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
