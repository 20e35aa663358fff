import type { MinuteEt, SessionDate } from '../../core/market/calendar.ts'
import {
  ALERT_BOOKS,
  type AlertBook,
  LEVEL_KINDS,
  type LevelKind,
  type ListType,
} from '../kinds.ts'
import { listSubjects, type RuleGroup, stepEntry } from './groups.ts'
import { isLevelMinute, isPriceMinute } from './hours.ts'
import type { MinuteInput } from './inputs.ts'
import { type LevelEvent, readLevel, type Subject } from './step.ts'

/** State of all rules from one minute to the next, as plain JSON. */
export type WatchStates = {
  readonly day: SessionDate
  /** The last judged state. */
  readonly minute: MinuteEt
  /** The last spot that lines were judged by, of this session or of an earlier one. */
  readonly price: {
    readonly day: SessionDate
    readonly minute: MinuteEt
    readonly spot: number
  } | null
  /** Levels of the session when they were last known. */
  readonly levels: Readonly<Record<AlertBook, KnownLevels>>
  /** Largest absolute net gamma of the session, $M per index point. */
  readonly largestGamma: Readonly<Record<AlertBook, number | null>>
  /** State of each group, by level. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

type KnownLevels = Readonly<
  Partial<Record<LevelKind, { readonly minute: MinuteEt; readonly value: number }>>
>

/** A level event, for every account whose entry is in the group. */
export type LevelFinding = LevelEvent & {
  readonly group: string
  readonly type: ListType
  readonly book: AlertBook
  readonly minute: MinuteEt
  readonly subject: Subject
  /** Present for `flip_move` and `level_near`. */
  readonly thresholdPoints?: number
}

/**
 * Judges one state of a session: the findings of each group's rule, and the states for the next
 * minute. States come in time order, and missing ones are not passed. A new group starts silently,
 * one that is no longer passed is dropped. Fails on a state that is not after the one before.
 */
export function stepMinute(
  before: WatchStates | null,
  input: MinuteInput,
  groups: Iterable<RuleGroup>,
): { readonly states: WatchStates; readonly findings: readonly LevelFinding[] } {
  checkAfter(before, input)
  const session = before?.day === input.day ? before : newSession(before, input)
  const states = { ...session, minute: input.minute, price: nextPrice(session, input) }
  if (!isLevelMinute(input.day, input.minute)) return { states, findings: [] }
  const largestGamma = forBooks(book => updateLargestGamma(session.largestGamma[book], book, input))
  const groupStates: Record<string, Record<string, unknown>> = {}
  const findings: LevelFinding[] = []
  for (const group of groups) {
    if (group.firstMinute !== null && group.firstMinute > input.minute) continue
    const { book } = group.entry
    const known = session.groups[group.key]
    const own: Record<string, unknown> = {}
    for (const subject of listSubjects(group.entry)) {
      const { state, event } = stepEntry(group.entry, subject, known?.[subject] ?? null, {
        minute: input.minute,
        state: input.books[book],
        largestGamma: largestGamma[book],
      })
      own[subject] = state
      if (event) findings.push(createFinding(group, subject, event, input.minute))
    }
    groupStates[group.key] = own
  }
  const levels = forBooks(book => nextLevels(session.levels[book], book, input))
  return { states: { ...states, levels, largestGamma, groups: groupStates }, findings }
}

/** Orders are not part of the state: the store sends each once. */
const newSession = (before: WatchStates | null, { day, minute }: MinuteInput): WatchStates => ({
  day,
  minute,
  price: before?.price ?? null,
  levels: forBooks(() => ({})),
  largestGamma: forBooks(() => null),
  groups: {},
})

function checkAfter(before: WatchStates | null, { day, minute }: MinuteInput): void {
  if (before === null || before.day < day) return
  if (before.day === day && before.minute < minute) return
  throw new Error(`state ${day} ${minute} is not after ${before.day} ${before.minute}`)
}

/** Returns the spot, the same in every book. */
export const readSpot = ({ books }: MinuteInput): number | null => books.measured.spot

function nextPrice({ price }: WatchStates, input: MinuteInput): WatchStates['price'] {
  const { day, minute } = input
  const spot = readSpot(input)
  return spot !== null && isPriceMinute(day, minute) ? { day, minute, spot } : price
}

function nextLevels(known: KnownLevels, book: AlertBook, { minute, books }: MinuteInput) {
  const levels = { ...known }
  for (const kind of LEVEL_KINDS) {
    const value = readLevel(books[book], kind)
    if (value !== null) levels[kind] = { minute, value }
  }
  return levels
}

function updateLargestGamma(
  known: number | null,
  book: AlertBook,
  { books }: MinuteInput,
): number | null {
  const gamma = books[book].netGamma
  return gamma === null ? known : Math.max(known ?? 0, Math.abs(gamma))
}

function createFinding(
  { key, entry }: RuleGroup,
  subject: Subject,
  event: LevelEvent,
  minute: MinuteEt,
): LevelFinding {
  const { type, book } = entry
  const finding = { ...event, group: key, type, book, minute, subject }
  if (entry.type !== 'flip_move' && entry.type !== 'level_near') return finding
  return { ...finding, thresholdPoints: entry.threshold_points }
}

const forBooks = <Value>(make: (book: AlertBook) => Value) =>
  Object.fromEntries(ALERT_BOOKS.map(book => [book, make(book)])) as Record<AlertBook, Value>
