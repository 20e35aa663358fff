import type { CommandContext } from '../accounts/commandContext.ts'
import type { Input } from '../core/commandRow.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { counted, formatBytes } from '../core/text/counts.ts'
import { readBackfillState } from '../data/backfillState.ts'
import { inboxFolders, listInbox } from '../data/fetched/inbox.ts'
import { listSourceStates } from '../data/fetched/responses.ts'
import { alignColumns } from '../data/published/analyst.ts'
import { openCatalog } from '../data/published/catalog.ts'
import { findGaps, gapText, lastMinute } from '../data/published/freshness.ts'
import { readLiveFacts, readLiveManifest } from '../data/published/liveManifest.ts'
import {
  hasLedger,
  type PublishedManifest,
  publishedSessions,
  readManifest,
} from '../data/published/manifest.ts'
import { demoHint } from '../data/published/nothingPublished.ts'
import { tapeSessions } from '../data/tape/manifest.ts'
import { backfillText } from './backfill.ts'
import { BEFORE_DATA } from './beforeData.ts'
import type { STATUS } from './commandRow.ts'
import { judgeStatus, type Status } from './judge.ts'
import { NO_TIME } from './page.ts'
import { wireStatus } from './routes.ts'
import type { DayStatus } from './schema.ts'

/** Maximum of gaps listed on a session's line; more are only counted. */
const GAPS_NAMED = 2

/** One line a session: its tape and its published data. */
export function statusText(dataFolder: string): string {
  const dates = [...new Set([...tapeSessions(dataFolder), ...publishedSessions(dataFolder)])].sort()
  if (dates.length === 0) {
    const demo = demoHint()
    return `no session yet: import a tape, or run the demo.\n${demo === null ? '' : `${demo}.\n`}`
  }
  const lines = dates.map(date => {
    const manifest = readOrRefusal(dataFolder, date)
    if (manifest instanceof Refusal) return [date, manifest.message]
    return sessionRow(date, manifest)
  })
  const head = ['session', 'state', 'symbol', 'as of', 'prints', 'orders', 'minutes', 'last']
  return `${alignColumns([[...head, 'tape', 'gaps'], ...lines])}\n`
}

/** A session that is published whole, or minute by minute, or only on the tape. */
function sessionRow(date: string, manifest: PublishedManifest | null): string[] {
  if (!manifest) return [date, 'on the tape', '', '', '', '', '', '', '', '']
  const live = readLiveFacts(manifest)
  const { minutes, datasets, asof } = manifest
  const whole = hasLedger(manifest) ? 'published' : 'minutes alone'
  const state = live ? 'minute by minute' : whole
  const count = (name: string) => String(datasets[name]?.rows ?? '')
  return [
    date,
    manifest.simulated ? `${state} (simulated)` : state,
    manifest.symbol,
    asof,
    count('prints'),
    count('orders'),
    `${minutes.present}/${minutes.expected}`,
    lastMinute(manifest, asof) ?? '',
    manifest.tape_grade?.grade ?? '',
    gapsText(minutes.missing),
  ]
}

/** Age of the data: faults, the newest session's datasets, the last 90 days. */
export function freshnessText(status: Status): string {
  const { newest, datasets, days } = status
  const lag = newest?.lag_s == null ? '' : `, ${newest.lag_s} s ago`
  const asof = newest && `${newest.day} is known up to ${newest.asof ?? 'nothing yet'}${lag}`
  const counts = Map.groupBy(days, ({ state, grade }) => dayWords(state, grade))
  const dayCounts = [...counts].map(([name, same]) => `${same.length} ${name}`)
  const rows = datasets.map(({ dataset, rows: count, newest_at, lag_s }) => {
    return [`  ${dataset}`, String(count), newest_at ?? NO_TIME, lag_s === null ? '' : `${lag_s} s`]
  })
  const sources = status.sources.map(
    ({ source, severity, responded_at, problem }) =>
      `  ${source}: ${severity}, last response ${responded_at ?? 'never'}${problem ? `; ${problem}` : ''}`,
  )
  const lines = [
    `${status.now_et} ET: ${status.status}`,
    ...status.problems.map(problem => `  problem: ${problem}`),
    ...status.warnings.map(warning => `  warning: ${warning}`),
    ...(asof ? [asof] : []),
    ...(rows.length > 0
      ? [alignColumns([['  dataset', 'rows', 'newest, UTC', 'lag'], ...rows])]
      : []),
    ...(sources.length > 0 ? ['sources:', ...sources] : []),
    ...(status.backfill ? [backfillText(status.backfill)] : []),
    ...(status.backfill?.failed ?? []).map(({ day, reason }) => `  ${day}: ${reason}`),
    `${days.length} weekdays in the last 90 days: ${dayCounts.join(', ')}`,
  ]
  return `${lines.join('\n')}\n`
}

/** A line for each folder of the inbox that has files. */
export function inboxText(dataFolder: string): string {
  const lines = inboxFolders(dataFolder).flatMap(folder => {
    const files = listInbox(dataFolder, folder)
    if (files.length === 0) return []
    const size = formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0))
    const oldest = new Date(files[0]!.writtenAtMs).toISOString().slice(0, 10)
    return `inbox/${folder}: ${counted(files.length, 'file')}, ${size}, the oldest of ${oldest}\n`
  })
  return lines.join('')
}

/** Text of a day's state. */
function dayWords(state: DayStatus['state'], grade: DayStatus['grade']): string {
  if (grade !== null) return `published with a ${grade} tape`
  return state === 'not_kept' ? BEFORE_DATA : state.replace('_', ' ')
}

/** Output of `status --json`: the same as the API's status.json. */
const statusJson = (reported: Status) => `${JSON.stringify(wireStatus(reported), null, 2)}\n`

function gapsText(missing: readonly string[]): string {
  const gaps = findGaps(missing)
  const named = gaps.slice(0, GAPS_NAMED).map(gapText)
  const more = gaps.length > GAPS_NAMED ? [`${gaps.length - GAPS_NAMED} more`] : []
  return [...named, ...more].join(', ')
}

/** A damaged manifest must not hide the other sessions. */
function readOrRefusal(dataFolder: string, date: string) {
  try {
    return readManifest(dataFolder, date) ?? readLiveManifest(dataFolder, date)
  } catch (error) {
    if (error instanceof Refusal) return error
    return new Refusal(`live/manifests/${date}.json is damaged: ${(error as Error).message}`)
  }
}

/** Runs `tapefold status`. */
export async function statusCommand(
  { data: dataFolder, json }: Input<typeof STATUS>,
  { config, nowMs }: CommandContext,
): Promise<void> {
  // a damaged manifest is a problem of the status
  const catalog = openCatalog({ dataFolder, nowMs, log: { error: () => {} } })
  const sources = () => listSourceStates(dataFolder)
  const backfill = () => readBackfillState(dataFolder)
  const status = judgeStatus({ ...config, catalog, nowMs, sources, backfill })
  const text = json ? statusJson(status) : statusText(dataFolder)
  const inbox = inboxText(dataFolder)
  process.stdout.write(json ? text : `${text}\n${freshnessText(status)}${inbox}`)
}
