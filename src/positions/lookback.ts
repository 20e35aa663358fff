import {
  findTradingSession,
  type MinuteEt,
  neighbourSession,
  type SessionDate,
} from '../core/market/calendar.ts'
import { studentP, studentT } from '../core/market/student.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { DamagedFile } from '../data/published/damagedFile.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { isJudgeable } from '../data/published/positionTables.ts'
import { lastJudgedMinute, latestMinute } from '../data/published/stateMinutes.ts'
import type { JudgingDeps } from './ask.ts'
import { computeVerdict, listShorts, wireReading } from './checkWire.ts'
import type { Outcome, Replayed } from './judged.ts'
import { LABELS, type Label } from './label.ts'
import type { EntryLog } from './lookbackSchema.ts'
import { rounded, roundedOrNull } from './rounded.ts'
import type { Position } from './schema.ts'

/** An entry that has both a label and an outcome. */
export type Graded = {
  /** Session of the entry: entries of one session are not independent. */
  readonly session: string
  readonly label: Label
  readonly held: boolean
}

type Grade = EntryLog['summary']
type Rate = Grade['base']
/** Difference of the hold rates of TRADE and SKIP; its error is zero where no label's entries differ. */
type Difference = NonNullable<Grade['difference']>

/** Hold rates of the short strikes under each label, and their difference. */
export function computeGrade(entries: readonly Graded[]): Grade {
  const labels = LABELS.map(label => ({
    label,
    ...computeRate(entries.filter(entry => entry.label === label)),
  }))
  const difference = computeDifference(entries)
  return {
    labels,
    base: computeRate(entries),
    difference,
    sentence: formatSentence(labels, difference),
  }
}

function computeRate(entries: readonly Graded[]): Rate {
  const held = entries.filter(entry => entry.held).length
  return { entries: entries.length, held, rate: entries.length ? held / entries.length : null }
}

/**
 * Difference of two means with a standard error clustered by session: each entry's influence is its
 * distance from its label's mean over the label's count, summed by session; the variance is G / (G
 * - 1) times the sum of squares over the G sessions (Liang & Zeger, Biometrika 73, 1986).
 */
function computeDifference(entries: readonly Graded[]): Difference | null {
  const trade = entries.filter(({ label }) => label === 'TRADE')
  const skip = entries.filter(({ label }) => label === 'SKIP')
  const [tradeRate, skipRate] = [computeRate(trade).rate, computeRate(skip).rate]
  if (tradeRate === null || skipRate === null) return null
  const influences = new Map<string, number>()
  const add = (group: readonly Graded[], rate: number, sign: 1 | -1) => {
    for (const { session, held } of group) {
      const influence = (sign * ((held ? 1 : 0) - rate)) / group.length
      influences.set(session, (influences.get(session) ?? 0) + influence)
    }
  }
  add(trade, tradeRate, 1)
  add(skip, skipRate, -1)
  const sessions = influences.size
  if (sessions < 2) return null
  const squares = [...influences.values()].reduce((sum, one) => sum + one * one, 0)
  const error = Math.sqrt((sessions / (sessions - 1)) * squares)
  const value = tradeRate - skipRate
  if (error === 0) return { value, error, sessions, t: null, p: null, low: null, high: null }
  const t = value / error
  const width = studentT(0.05, sessions - 1) * error
  const p = studentP(t, sessions - 1)
  return { value, error, sessions, t, p, low: value - width, high: value + width }
}

function formatSentence(labels: Grade['labels'], difference: Difference | null): string {
  if (!difference) return 'Nothing can be said: TRADE and SKIP both need entries with an outcome.'
  const rate = (label: Label) => percent(labels.find(one => one.label === label)!.rate!)
  const rates = `TRADE held in ${rate('TRADE')} % of its entries, SKIP in ${rate('SKIP')} %`
  const { value, low, high, sessions } = difference
  if (low === null || high === null) {
    return `${rates}; the error of the difference cannot be told from ${sessions} sessions.`
  }
  const bounds = `95 % between ${percent(low)} and ${percent(high)}, over ${sessions} sessions`
  const comparison = `${rates}: a difference of ${percent(value)} points, ${bounds}`
  if (low <= 0 && high >= 0) {
    return `${comparison}. The error covers zero: the labels told nothing that luck would not.`
  }
  const way = value > 0 ? 'more' : 'less'
  return `${comparison}. TRADE held ${way} often than luck explains.`
}

const percent = (share: number): string => (100 * share).toFixed(1)

type Entry = EntryLog['entries'][number]

/** Judges the entry minute of the last `count` sessions as of then, oldest first. */
export async function readEntries(
  position: Position,
  count: number,
  deps: JudgingDeps,
): Promise<EntryLog> {
  const days = listDays(position.entry, count, deps)
  const faults = new Map<SessionDate, string>()
  const manifests = new Map<SessionDate, PublishedManifest>()
  for (const day of days) {
    const found = deps.catalog.find(day)?.manifest
    const fault = findFault(day, position.entry, found, deps.catalog)
    if (fault === null) manifests.set(day, found!)
    else faults.set(day, fault)
  }
  const { base, rows } = await replay(position, { manifests, faults, deps })
  const nowMs = deps.nowMs()
  const entries = days.map(day => {
    return toEntry(position, day, { replayed: rows.get(day), fault: faults.get(day), nowMs })
  })
  return {
    id: position.id,
    entry: position.entry,
    replay: count,
    base_session: base,
    ...formatNote(position, base),
    entries,
    summary: summarizeEntries(entries),
  }
}

/** Returns trading days, oldest first, up to the newest one whose entry minute has come. */
function listDays(entry: MinuteEt, count: number, { catalog, nowMs }: JudgingDeps): SessionDate[] {
  const [first] = catalog.sessions()
  const newest = catalog.newest()
  if (!first || !newest) return []
  const hasCome = (latestMinute(newest, nowMs()) ?? '') >= entry
  const { session_date: last } = newest.manifest
  let day = hasCome ? last : neighbourSession(last, -1).date
  const days: SessionDate[] = []
  for (; days.length < count && day >= first; day = neighbourSession(day, -1).date) days.push(day)
  return days.reverse()
}

/** Returns why a session's entry minute cannot be judged; null when it can. */
function findFault(
  day: SessionDate,
  entry: MinuteEt,
  manifest: PublishedManifest | undefined,
  catalog: Catalog,
): string | null {
  const last = lastJudgedMinute(findTradingSession(day)!)
  if (entry > last) return `${day} ended early: its last minute is ${last}.`
  if (!manifest) {
    const isDamaged = catalog.unreadable().includes(day)
    return isDamaged ? `the manifest of ${day} is damaged.` : `${day} is not published.`
  }
  return isJudgeable(manifest) ? null : `${day} was published without market minutes.`
}

type ReplayOptions = {
  readonly manifests: Map<SessionDate, PublishedManifest>
  readonly faults: Map<SessionDate, string>
  readonly deps: JudgingDeps
}

/** Replays the available sessions; one whose files are damaged is named and left out. */
async function replay(position: Position, { manifests, faults, deps }: ReplayOptions) {
  const { session } = position
  const own = session === null ? null : (deps.catalog.find(session)?.manifest ?? null)
  let base = own && isJudgeable(own) ? own : null
  for (;;) {
    const dates = [...manifests.keys()]
    if (dates.length === 0) return { base: null, rows: new Map<SessionDate, Replayed | null>() }
    const sessions = base && !manifests.has(base.session_date) ? [base] : []
    try {
      const wanted = {
        sessions: [...sessions, ...manifests.values()],
        minute: position.entry,
        bases: [...(base ? [base.session_date] : []), ...dates.toReversed()],
        dates,
        shortPut: position.legs.sp ?? null,
        shortCall: position.legs.sc ?? null,
      }
      const replayed = await deps.judge.replay(wanted, deps.requester)
      const rows = new Map(dates.map((date, index) => [date, replayed.rows[index]!]))
      return { base: replayed.base, rows }
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
      deps.catalog.reportDamage(error)
      faults.set(error.date, `a file of ${error.date} is damaged.`)
      manifests.delete(error.date)
      if (base?.session_date === error.date) base = null
    }
  }
}

function formatNote({ session, entry }: Position, base: SessionDate | null): { note?: string } {
  if (session === null || base === session || base === null) return {}
  const missing = `${session}, which the strikes were set against, has no index at ${entry}`
  return { note: `${missing}: distances are those of ${base}.` }
}

type Found = {
  readonly replayed: Replayed | null | undefined
  readonly fault: string | undefined
  readonly nowMs: number
}

function toEntry(position: Position, day: SessionDate, { replayed, fault, nowMs }: Found): Entry {
  const t = position.entry
  if (!replayed) {
    const error = fault ?? `${day} has no index at ${t}.`
    return { day, t, error, ...NO_ENTRY, outcome: null, outcome_null: 'not_judged' }
  }
  const { marks, outcome } = replayed
  const { readings, counts, label, error } = computeVerdict(position, marks, { day, minute: t })
  // a running session has no outcome, whatever is published of it
  const isOver = findTradingSession(day)!.closesAtMs <= nowMs
  const known = isOver && outcome ? toOutcome(outcome) : null
  return {
    day,
    t,
    ...(error === null ? {} : { error }),
    label,
    counts,
    conditions: readings.map(wireReading),
    shorts: listShorts(position, marks),
    outcome: known,
    outcome_null: known ? null : isOver ? 'no_close' : 'not_finished',
  }
}

const NO_ENTRY = { label: null, counts: { on: 0, off: 0, unknown: 0 }, conditions: [], shorts: [] }

function toOutcome(outcome: Outcome): Entry['outcome'] {
  const { close_points, moved_points, worst_points, worst_minute_et } = outcome
  if (close_points === null || moved_points === null || worst_points === null) return null
  return {
    held: close_points >= 0,
    touched: worst_points < 0,
    close_points: rounded(close_points),
    worst_points: rounded(worst_points),
    worst_t: worst_minute_et!,
    moved_points: rounded(moved_points),
    moved_over_expected: roundedOrNull(outcome.moved_over_expected),
    missing_minutes: outcome.missing_count,
  }
}

function summarizeEntries(entries: readonly Entry[]): EntryLog['summary'] {
  const graded: Graded[] = []
  for (const { day, label, outcome } of entries) {
    if (label !== null && outcome) graded.push({ session: day, label, held: outcome.held })
  }
  const { labels, base, difference, sentence } = computeGrade(graded)
  return {
    labels: labels.map(one => ({ ...one, rate: roundedOrNull(one.rate) })),
    base: { ...base, rate: roundedOrNull(base.rate) },
    difference: difference && {
      value: rounded(difference.value),
      error: rounded(difference.error),
      sessions: difference.sessions,
      t: roundedOrNull(difference.t),
      p: roundedOrNull(difference.p),
      low: roundedOrNull(difference.low),
      high: roundedOrNull(difference.high),
    },
    sentence,
  }
}
