import {
  findTradingSession,
  neighbourSession,
  type SessionDate,
} from '../../core/market/calendar.ts'
import type { PublishedManifest } from './manifest.ts'

/** State of a session's data on one day of the calendar, by what is recorded of it. */

/** Every word for it, most severe first: of several that hold, the first is the condition. */
export const CONDITIONS = [
  'missing',
  'damaged',
  'partial',
  'degraded',
  'restated',
  'late',
  'backfilled',
  'complete',
  'pending',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** Each word, as a sentence of the docs and of the OpenAPI file. */
export const CONDITION_MEANINGS: Readonly<Record<Condition, string>> = {
  missing: 'it is due, and not published',
  damaged: 'it is published, and cannot be read',
  partial: 'minutes without prints, or prints that an audit set apart',
  degraded: 'the grade of its tape is doubtful or bad',
  restated: 'its content was replaced at least once since it was published first',
  late: 'published after it was due, and before the next session was',
  backfilled: 'published after the next session was due, such as history',
  complete: 'published in time, of a good tape, and never replaced',
  pending: 'not due yet',
}

/** Reasons why one of them is null. */
export const UNKNOWN_REASONS = [
  'not_published',
  'not_recorded',
  'not_graded',
  'simulated',
  'no_session',
  'damaged',
  'before_data',
] as const
type UnknownReason = (typeof UNKNOWN_REASONS)[number]

/** State of a day's data. */
export type Freshness = {
  readonly condition: Condition | null
  /** Every word that holds, most severe first. */
  readonly conditions: readonly Condition[]
  /** Why `condition` is null; null where it is known. */
  readonly condition_reason: UnknownReason | null
  /** UTC instant at which the current content was published first. */
  readonly published_at: string | null
  /** 1 for the first content of the session, 2 for the one that replaced it, and so on. */
  readonly edition: number | null
  /** Why `published_at` or `edition` is null. */
  readonly published_reason: UnknownReason | null
  /** UTC instant by which it has to be published: its close, and the grace of the operator. */
  readonly due_at: string | null
  /** Why `due_at` is null. */
  readonly due_reason: UnknownReason | null
}

/** Instant by which a session has to be published, UTC milliseconds; null on a day without one. */
function findDueMs(day: SessionDate, graceMs: number): number | null {
  const session = findTradingSession(day)
  return session === null ? null : session.closesAtMs + graceMs
}

/** Judges a published session by its manifest. `graceMs`: time from the close until it is due. */
export function judgePublished(manifest: PublishedManifest, graceMs: number): Freshness {
  const { session_date: day, simulated, published_at, edition, tape_grade: tape } = manifest
  // nobody waits for a simulated session
  const dueMs = simulated ? null : findDueMs(day, graceMs)
  const conditions: Condition[] = []
  if (manifest.minutes.missing.length > 0 || (manifest.tape.set_apart ?? 0) > 0) {
    conditions.push('partial')
  }
  if (tape && tape.grade !== 'good') conditions.push('degraded')
  if (edition !== undefined && edition > 1) conditions.push('restated')
  // of a later edition nobody recorded when the first one came
  if (dueMs !== null && published_at && edition === 1) {
    const atMs = Date.parse(published_at)
    const nextMs = findDueMs(neighbourSession(day, 1).date, graceMs)!
    if (atMs > dueMs) conditions.push(atMs > nextMs ? 'backfilled' : 'late')
  }
  const isKnown = conditions.length > 0 || tape !== undefined
  if (isKnown && conditions.length === 0) conditions.push('complete')
  return {
    condition: conditions[0] ?? null,
    conditions,
    condition_reason: isKnown ? null : 'not_graded',
    published_at: published_at ?? null,
    edition: edition ?? null,
    published_reason: published_at && edition !== undefined ? null : 'not_recorded',
    ...formatDue(dueMs, simulated ? 'simulated' : 'no_session'),
  }
}

/**
 * Judges a day of which no whole session can be read: it is missing, damaged or pending, has no
 * session, or lies before the first one stored.
 */
export function judgeUnpublished(
  day: SessionDate,
  state: 'missing' | 'damaged' | 'pending' | 'no_session' | 'before_data',
  graceMs: number,
): Freshness {
  const isWord = state !== 'no_session' && state !== 'before_data'
  const isDamaged = state === 'damaged'
  return {
    condition: isWord ? state : null,
    conditions: isWord ? [state] : [],
    condition_reason: isWord ? null : state,
    published_at: null,
    edition: null,
    published_reason: isDamaged ? 'damaged' : isWord ? 'not_published' : state,
    ...formatDue(isWord ? findDueMs(day, graceMs) : null, isWord ? 'no_session' : state),
  }
}

const formatDue = (dueMs: number | null, reason: UnknownReason) =>
  dueMs === null
    ? { due_at: null, due_reason: reason }
    : { due_at: formatSecond(dueMs), due_reason: null }

/** An instant as ISO 8601 in UTC, to the second. */
export const formatSecond = (atMs: number): string =>
  `${new Date(atMs).toISOString().slice(0, 19)}Z`
