import {
  addDays,
  findTradingSession,
  isWeekend,
  neighbourSession,
  type SessionDate,
  wallTimeEt,
} from '../core/market/calendar.ts'
import type { BackfillState } from '../data/backfillState.ts'
import type { SourceState } from '../data/fetched/responses.ts'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { type Freshness, judgePublished, judgeUnpublished } from '../data/published/condition.ts'
import { asofMs, findGaps, formatAsof, lastMinute } from '../data/published/freshness.ts'
import { catalogInSight } from '../data/published/inSight.ts'
import { readLiveFacts } from '../data/published/liveManifest.ts'
import { type BackgroundFault, faultText } from '../data/published/sight.ts'
import { judgeBackfill } from './backfill.ts'
import { explainBrokenChain } from './carriedChain.ts'
import {
  type AlertsStatus,
  DAYS_LISTED_MAX,
  type DatasetStatus,
  type DayStatus,
  type SourceStatus,
  type StatusResponse,
} from './schema.ts'
import { explainSource, judgeSources, sourceDelay } from './sources.ts'

/** Age of the data of an open session from which they are late, and from which that is an alarm. */
const LATE_SECONDS = 120
const ALARM_SECONDS = 300
/** Sessions listed in a warning before they are only counted. */
const MISSING_NAMED = 5

export type Severity = StatusResponse['status']

export type StatusDeps = {
  readonly catalog: Catalog
  readonly nowMs: () => number
  /** Time after the close within which a session's ledger must be published. */
  readonly publishGraceMs: number
  /** True when the minutes of an open session are expected: then none at all is an alarm too. */
  readonly isLive: boolean
  /** True in a replay: no session is expected after the last one stored. */
  readonly isReplay?: boolean
  /** Background tasks of the server that currently fail. */
  readonly faults?: () => readonly BackgroundFault[]
  /** Status of the alerts; left out, it is unknown. */
  readonly alerts?: () => AlertsStatus | null
  /** How the sources of market data responded last; none by default. */
  readonly sources?: () => readonly SourceState[]
  /** How far the newest backfill is; none by default. */
  readonly backfill?: () => BackfillState | null
}

type Finding = {
  readonly isAlarm: boolean
  readonly kind: string
  readonly text: string
  /** True for data that are missing or old: an alarm, but no fault of the server. */
  readonly isLate?: boolean
}

export type Status = StatusResponse & {
  /** The problems that are not about the age of the data, which `/health` is red for. */
  readonly defects: readonly string[]
  /** Identity of the problems without their figures: a change of it is a new alarm. */
  readonly alarm: string
}

/** Judges the data by their age, from manifests and the calendar alone: never DuckDB. */
export function judgeStatus(given: StatusDeps): Status {
  const { catalog, isBlind } = catalogInSight(given.catalog)
  const { isReplay = false } = given
  const deps = { ...given, catalog, isLive: given.isLive && !isReplay }
  const { nowMs, publishGraceMs, faults = () => [] } = deps
  const alerts = deps.alerts?.() ?? null
  const atMs = nowMs()
  const { date: today, minute, second } = wallTimeEt(atMs)
  const due = expectedSession(atMs - publishGraceMs)
  const stored = catalog.sessions()
  const [first, last] = [stored[0], stored.at(-1)]
  const expected = isReplay && last !== undefined && last < due ? last : due
  // a replay is of a past day: the sources are of today
  const sources = isReplay ? [] : judgeSources(deps.sources?.() ?? [], atMs)
  const delay = sourceDelay(sources, today)
  const context = { ...deps, atMs, today, expected, first: first ?? expected, delay }
  const found = catalog.newest()
  const newest = found && judgeDay(found.manifest.session_date, context)
  const datasets = found ? listDatasets(found, newest?.state === 'open' ? atMs : null) : []
  const days = recentWeekdays(today).map(day => judgeDay(day, context))
  const open = days[0]?.state === 'open' ? days[0] : null
  const findings: Finding[] = [
    ...catalog.problems().map(text => alarm(text, text)),
    // sessions that cannot be seen are not known to be missing
    ...(isBlind ? [] : newestFindings(found, newest, expected)),
    ...auditFindings(found),
    ...(open ? lagFindings(open) : []),
    ...(open ? datasets.flatMap(dataset => datasetFindings(open.day, dataset, delay)) : []),
    ...sources.filter(({ severity }) => severity === 'amber').map(sourceFinding),
    ...(isBlind ? [] : missingFindings(days, expected)),
    ...(isBlind || !found ? [] : chainFindings(catalog, { first: first!, newest: found })),
    ...(alerts ? alertsFindings(alerts) : []),
    ...faults().map(fault => ({ isAlarm: false, kind: fault.work, text: faultText(fault) })),
  ]
  const problems = findings.filter(({ isAlarm }) => isAlarm)
  const warnings = findings.filter(({ isAlarm }) => !isAlarm)
  return {
    status: problems.length > 0 ? 'red' : warnings.length > 0 ? 'amber' : 'green',
    now_et: `${today} ${minute}:${second}`,
    expected_session: expected,
    problems: problems.map(({ text }) => text),
    defects: problems.filter(({ isLate = false }) => !isLate).map(({ text }) => text),
    warnings: warnings.map(({ text }) => text),
    newest,
    datasets,
    alerts,
    sources,
    backfill: isReplay ? null : judgeBackfill(deps.backfill?.() ?? null, atMs),
    days,
    alarm: problems.map(({ kind }) => kind).join('\n'),
  }
}

type Context = StatusDeps & {
  readonly atMs: number
  readonly today: SessionDate
  readonly expected: SessionDate
  readonly first: SessionDate
  /** Time by which the rows of an open session are late by their source, in seconds. */
  readonly delay: number
}

/** The status of a day before the state of its data is added. */
type DayFacts = Omit<DayStatus, keyof Freshness>

function judgeDay(day: SessionDate, context: Context): DayStatus {
  const facts = judgeFacts(day, context)
  return { ...facts, ...judgeData(facts, context) }
}

/** Judges the data of a day: of a published session by its manifest, else by its state. */
function judgeData({ day, state }: DayFacts, { catalog, publishGraceMs }: Context): Freshness {
  if (state === 'published') {
    return judgePublished(catalog.find(day)!.manifest, publishGraceMs)
  }
  return judgeUnpublished(day, DATA_STATE[state], publishGraceMs)
}

const DATA_STATE = {
  open: 'pending',
  not_due: 'pending',
  missing: 'missing',
  damaged: 'damaged',
  holiday: 'no_session',
  not_kept: 'before_data',
} as const

function judgeFacts(day: SessionDate, context: Context): DayFacts {
  const { catalog, atMs, today, expected, first, isLive } = context
  const nothing = { grade: null, simulated: null, asof: null, last_minute: null, lag_s: null }
  const empty = (state: DayStatus['state'], severity: Severity): DayFacts => ({
    day,
    state,
    severity,
    ...nothing,
    gaps: [],
  })
  const session = findTradingSession(day)
  const isOpen =
    day === today && !!session && session.opensAtMs <= atMs && atMs < session.closesAtMs
  const found = catalog.find(day)
  if (found && isOpen) return openDay(found, context)
  if (found?.knownBeforeMs !== undefined) return unfinishedDay(found, day <= expected)
  if (found) return publishedDay(found)
  if (catalog.unreadable().includes(day)) return empty('damaged', 'red')
  if (!session) return empty('holiday', 'green')
  if (isOpen && isLive) return addAge(empty('open', 'green'), session.opensAtMs, context)
  if (day > expected) return empty('not_due', 'green')
  return day < first ? empty('not_kept', 'green') : empty('missing', 'red')
}

function publishedDay(found: Found): DayFacts {
  const { manifest, knownBeforeMs } = found
  const asof = formatAsof(found)
  // a tape is graded when it is whole
  const grade = knownBeforeMs === undefined ? (manifest.tape_grade?.grade ?? null) : null
  return {
    day: manifest.session_date,
    state: 'published',
    severity: grade === 'bad' ? 'red' : grade === 'doubtful' ? 'amber' : 'green',
    grade,
    simulated: manifest.simulated,
    asof,
    last_minute: lastMinute(manifest, asof),
    lag_s: null,
    gaps: findGaps(manifest.minutes.missing),
  }
}

/** A session that has closed, before its whole tape is built. */
const unfinishedDay = (found: Found, isDue: boolean): DayFacts => ({
  ...publishedDay(found),
  state: isDue ? 'missing' : 'open',
  severity: isDue ? 'red' : 'green',
})

function openDay(found: Found, context: Context): DayFacts {
  const { manifest } = found
  const { session_date: day } = manifest
  const { opensAtMs } = findTradingSession(day)!
  const { asof, last_minute, simulated } = publishedDay(found)
  const gaps = findGaps(manifest.minutes.missing, asof ?? '')
  const head = { day, simulated, asof, last_minute, gaps, grade: null, lag_s: null }
  // data from before the open do not count for the session
  const untilMs = asof === null ? opensAtMs : Math.max(opensAtMs, asofMs(day, asof))
  return addAge({ ...head, state: 'open', severity: 'green' }, untilMs, context)
}

function addAge(day: DayFacts, untilMs: number, { atMs, delay }: Context): DayFacts {
  const lag = Math.max(0, Math.floor((atMs - untilMs) / 1000))
  return { ...day, lag_s: lag, severity: lagSeverity(lag - delay) }
}

const lagSeverity = (lag: number): Severity =>
  lag >= ALARM_SECONDS ? 'red' : lag >= LATE_SECONDS ? 'amber' : 'green'

function listDatasets(
  { manifest, knownBeforeMs }: Found,
  openAtMs: number | null,
): DatasetStatus[] {
  // the whole tape is newer than the visible data
  if (knownBeforeMs !== undefined) return []
  const rows = new Map<string, number>()
  for (const input of manifest.inputs) {
    rows.set(input.dataset, (rows.get(input.dataset) ?? 0) + input.rows)
  }
  return [...rows].toSorted().map(([dataset, count]) => {
    const newest = manifest.tape_newest?.[dataset]
    const lag =
      newest && openAtMs !== null
        ? Math.max(0, Math.floor((openAtMs - Date.parse(newest)) / 1000))
        : null
    return { dataset, rows: count, newest_at: newest ?? null, lag_s: lag }
  })
}

function newestFindings(found: Found | null, newest: DayStatus | null, expected: string) {
  const findings: Finding[] = []
  if (!newest) findings.push(lateAlarm('nothing', 'no session is published'))
  if (newest && newest.day < expected) {
    const text = `the newest session is ${newest.day}; ${expected} should be there`
    findings.push(lateAlarm(`no ${expected}`, text))
  }
  if (newest?.state === 'missing') {
    const whole = 'the whole session should be published'
    const text = `only single minutes of ${newest.day} are published; ${whole}`
    findings.push(lateAlarm(`no ${newest.day}`, text))
  }
  if (newest?.grade === 'bad') {
    const reasons = found!.manifest.tape_grade!.reasons.join('; ')
    findings.push(alarm(`bad ${newest.day}`, `the tape of ${newest.day} is bad: ${reasons}`))
  }
  return findings
}

/** Failed audits of a running session; its whole tape is audited when it is built. */
function auditFindings(found: Found | null): Finding[] {
  if (!found) return []
  const { session_date: day } = found.manifest
  const alarms = readLiveFacts(found.manifest)?.alarms ?? []
  return alarms.map(text => alarm(`audit ${day} ${text}`, `the minutes of ${day}: ${text}`))
}

function lagFindings({ day, asof, lag_s: lag, severity }: DayStatus): Finding[] {
  if (severity === 'green') return []
  const end = asof === null ? 'there are no data' : `its data end at ${asof}`
  const text = `the session of ${day} is open, and ${end}: ${lag} s ago`
  return [{ isAlarm: severity === 'red', isLate: true, kind: `late ${day}`, text }]
}

function datasetFindings(
  day: SessionDate,
  { dataset, lag_s: lag }: DatasetStatus,
  delay: number,
): Finding[] {
  // the age of the prints is that of the ledger
  if (lag === null || lag - delay < LATE_SECONDS || dataset === 'prints') return []
  const text = `the ${dataset} of ${day} are ${lag} s old while its session is open`
  const isAlarm = lag - delay >= ALARM_SECONDS
  return [{ isAlarm, isLate: true, kind: `late ${dataset} ${day}`, text }]
}

/** A source that is late: no alarm, since what is published stays right. */
const sourceFinding = (source: SourceStatus): Finding => ({
  isAlarm: false,
  kind: `source ${source.source}`,
  text: explainSource(source),
})

/** Missing days before the newest one: not an alarm, since only an old tape could fix it. */
function missingFindings(days: readonly DayStatus[], expected: SessionDate): Finding[] {
  const missing = days.filter(({ day, state }) => state === 'missing' && day < expected)
  if (missing.length === 0) return []
  const named = missing.slice(0, MISSING_NAMED).map(({ day }) => day)
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : ''
  return [{ isAlarm: false, kind: 'missing', text: `not published: ${named.join(', ')}${more}` }]
}

/** Where the chain of carried positions is broken: no alarm, as nothing shown is wrong by it. */
function chainFindings(...chain: Parameters<typeof explainBrokenChain>): Finding[] {
  const text = explainBrokenChain(...chain)
  return text === null ? [] : [{ isAlarm: false, kind: 'chain', text }]
}

/** Findings about a stalled watcher or sender that delays events. */
function alertsFindings({ day, minute, lag_s: lag, oldest_due_s: due }: AlertsStatus): Finding[] {
  const since = minute === null ? `of ${day}` : `after ${day} ${minute}`
  const watch = `no alerts were looked for in minutes ${since}, which were published`
  const send = 'the oldest event that waits to be sent has been due for'
  return [
    ...waitFindings('alerts are not found', lag, `${watch} ${lag} s ago`),
    ...waitFindings('alerts are not sent', due, `${send} ${due} s`),
  ]
}

function waitFindings(kind: string, waited: number | null, text: string): Finding[] {
  if (waited === null || waited < LATE_SECONDS) return []
  return [{ isAlarm: waited >= ALARM_SECONDS, isLate: true, kind, text }]
}

const alarm = (kind: string, text: string): Finding => ({ isAlarm: true, kind, text })

const lateAlarm = (kind: string, text: string): Finding => ({
  ...alarm(kind, text),
  isLate: true,
})

/** The newest session that had closed by an instant. */
function expectedSession(atMs: number): SessionDate {
  const { date } = wallTimeEt(atMs)
  const today = findTradingSession(date)
  return today && today.closesAtMs <= atMs ? date : neighbourSession(date, -1).date
}

/** The weekdays of the last days, newest first. */
function recentWeekdays(today: SessionDate): SessionDate[] {
  const days = Array.from({ length: DAYS_LISTED_MAX }, (_, ago) => addDays(today, -ago))
  return days.filter(day => !isWeekend(day))
}
