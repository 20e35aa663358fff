/** Fetches what is missing of days, then imports it, as files that are imported by hand. */

import PQueue from 'p-queue'
import { userSentence } from '../../src/core/command.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import {
  listRecorded,
  type ResponseRecord,
  readResponse,
  readSourceState,
  responsePath,
  type SourceState,
  writeResponse,
  writeSourceState,
} from '../../src/data/fetched/responses.ts'
import { readTapeManifest } from '../../src/data/tape/manifest.ts'
import { runGeoImport } from '../import/geo.ts'
import { GEO_FORMATS } from '../import/geoFormats.ts'
import { RefusedFiles } from '../import/held.ts'
import { runImport } from '../import/import.ts'
import type { ImportReport } from '../import/report.ts'
import {
  type DataSource,
  FetchProblem,
  type FileVersion,
  isRetried,
  type Part,
  type Price,
  partName,
} from './source.ts'
import {
  fetchPart,
  refuseStored,
  retriedCall,
  storeNothing,
  type TransferDeps,
} from './transfer.ts'

/** How long the import of another source is waited for: fetches run side by side. */
const IMPORT_WAIT_MS = 3_600_000

/** Parts of a fetch, by whether they are stored. */
export type FetchPlan = {
  /** Parts that are not stored, or no longer current. */
  readonly missing: readonly Part[]
  /** Parts that are stored, with their records. */
  readonly stored: readonly { readonly part: Part; readonly record: ResponseRecord }[]
}

/** Result of one day, or year. */
export type FetchedDay = {
  readonly day: string
  /** Files that came. */
  readonly files: number
  readonly bytes: number
  /** Rows that were imported, by dataset. */
  readonly imported: Readonly<Record<string, number>>
  readonly rejected: number
  /** Files of excluded rows, relative to the data folder. */
  readonly excluded: readonly string[]
  /** Parts without which the day was imported, and what its source and the import say of it. */
  readonly notes: readonly string[]
  /** Reason why the day is not complete; null where it is. */
  readonly problem: FetchProblem | null
}

export type FetchDeps = Omit<TransferDeps, 'version'> & {
  /** Called when a part has come, or failed. */
  readonly onPart?: (part: Part) => void
  /** Called before the files of a day are imported. */
  readonly onImport?: (day: string) => void
  /** Called when a day is fetched and imported, or failed. */
  readonly onDay: (day: FetchedDay) => void
}

/** Splits the parts of days into those that are stored and those to be fetched; asks nobody. */
export function planFetch(
  dataFolder: string,
  source: DataSource,
  days: readonly SessionDate[],
  nowMs: number,
): FetchPlan {
  const missing: Part[] = []
  const stored: { part: Part; record: ResponseRecord }[] = []
  // one look at the folder of a day: years have a hundred thousand files
  const recorded = new Map<string, Set<string>>()
  for (const part of source.plan(days, nowMs)) {
    const names = recorded.get(part.day) ?? listRecorded(dataFolder, source.name, part.day)
    recorded.set(part.day, names)
    const record = names.has(part.file)
      ? readResponse(dataFolder, { ...part, source: source.name })
      : null
    const isCurrent =
      record !== null && (source.isCurrent?.(part, Date.parse(record.fetched_at), nowMs) ?? true)
    if (record && isCurrent) stored.push({ part, record })
    else missing.push(part)
  }
  return { missing, stored }
}

/** True for a stored response whose rows are not imported yet. */
export const isToImport = ({ imported_at, rows }: ResponseRecord): boolean =>
  imported_at === null && rows > 0

/** Sum of what a vendor's files usually are, in bytes. */
export const usualBytes = (parts: readonly Part[]): number =>
  parts.reduce((sum, part) => sum + part.usualBytes, 0)

/** Asks the source what the requests cost; null where it charges none by request. */
export async function askPrice(parts: readonly Part[], deps: FetchDeps): Promise<Price | null> {
  if (!deps.source.price || parts.length === 0) return null
  return deps.source.price(parts, retriedCall(deps))
}

/**
 * Marks stored parts that the source has replaced since. Returns them: they are fetched again only
 * when that is requested.
 */
export async function findRestated(stored: FetchPlan['stored'], deps: FetchDeps): Promise<Part[]> {
  const { source, dataFolder } = deps
  if (!source.versions || stored.length === 0) return []
  const versions = await source.versions(
    stored.map(({ part }) => part),
    retriedCall(deps),
  )
  return stored.flatMap(({ part, record }) => {
    const version = versions.get(partName(part))?.version
    if (version === undefined || record.version === null || version === record.version) return []
    writeResponse(dataFolder, { ...record, restated_as: version })
    return [part]
  })
}

/**
 * Fetches parts, a day's before those of the next, and imports each day when its parts are there.
 * Stored parts that were not imported are imported too. Returns the days; a day that fails does not
 * stop the others, unless none of them can succeed.
 */
export async function runFetch(plan: FetchPlan, deps: FetchDeps): Promise<FetchedDay[]> {
  const { source } = deps
  const versions =
    source.versions && plan.missing.length > 0
      ? await source.versions(plan.missing, retriedCall(deps))
      : new Map<string, FileVersion>()
  const queue = new PQueue({ concurrency: source.concurrent })
  const waiting = plan.stored.filter(({ record }) => isToImport(record))
  const days = [
    ...new Set([...plan.missing, ...waiting.map(({ part }) => part)].map(({ day }) => day)),
  ]
  // one fault of the key or the connection is the fault of all that follow
  const common: { problem: FetchProblem | null } = { problem: null }
  const results: FetchedDay[] = []
  let importing: Promise<unknown> = Promise.resolve()
  for (const day of days) {
    const parts = plan.missing.filter(part => part.day === day)
    const stored = waiting.filter(({ part }) => part.day === day)
    const fetched = queue.addAll(
      parts.map(part => async () => {
        if (common.problem) return common.problem
        const version = versions.get(partName(part))
        const isAbsent = source.listsAll && version === undefined
        const outcome = isAbsent
          ? missingProblem(part, deps)
          : await fetchOne(part, { ...deps, version })
        if (outcome instanceof FetchProblem && isCommon(outcome)) common.problem = outcome
        deps.onPart?.(part)
        return outcome
      }),
    )
    importing = Promise.all([fetched, importing]).then(async ([outcomes]) => {
      const result = await importDay({ day, parts, outcomes, stored }, deps)
      results.push(result)
      deps.onDay(result)
    })
    // an error is reported when all are awaited
    importing.catch(() => {})
  }
  await importing
  return results
}

/** Kinds of problem that concern every request. */
const isCommon = ({ kind }: FetchProblem): boolean =>
  kind === 'wrong_key' || kind === 'not_started' || kind === 'unavailable'

/** Fetches a part; returns its record, or the reason why there is none. */
async function fetchOne(part: Part, deps: TransferDeps): Promise<ResponseRecord | FetchProblem> {
  try {
    return await fetchPart(part, deps)
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    const isReady = deps.nowMs() >= deps.source.readyMs(part.day)
    // before its time a file is refused as one of another plan, or as none
    if (!isReady && ['no_data', 'no_permission'].includes(error.kind))
      return missingProblem(part, deps)
    return error.kind === 'no_data' && part.mayBeEmpty
      ? storeNothing(part, deps)
      : nameRequest(error, part)
  }
}

/** Returns a problem with its request, unless it names its file or concerns every request. */
function nameRequest(problem: FetchProblem, part: Part): FetchProblem {
  const { kind, message, retryAfterMs } = problem
  if (isCommon(problem) || message.includes(part.file)) return problem
  const { method, path } = part.request
  const sentence = `${message.replace(/\.$/, '')}: ${method} ${path}, for ${partName(part)}.`
  return new FetchProblem(kind, sentence, retryAfterMs)
}

/** The reason why a part is not there: its time has not come, or the source has none. */
function missingProblem(part: Part, { source, nowMs }: Pick<FetchDeps, 'source' | 'nowMs'>) {
  if (nowMs() < source.readyMs(part.day)) return notYet(part, source)
  return new FetchProblem('no_data', `${source.name} has no file for ${partName(part)}.`)
}

function notYet(part: Part, source: DataSource): FetchProblem {
  const at = new Date(source.readyMs(part.day)).toISOString().slice(0, 16).replace('T', ' ')
  return new FetchProblem(
    'not_yet',
    `${source.name} has nothing for ${partName(part)} yet; it is usually there from ${at} UTC on.`,
  )
}

type DayParts = {
  readonly day: string
  readonly parts: readonly Part[]
  readonly outcomes: readonly (ResponseRecord | FetchProblem)[]
  readonly stored: FetchPlan['stored']
}

/** Imports a day when all its parts are there: half a day's prints would look like a whole one's. */
async function importDay({ day, parts, outcomes, stored }: DayParts, deps: FetchDeps) {
  const records = outcomes.filter((each): each is ResponseRecord => 'file' in each)
  const result = {
    day,
    files: records.filter(({ rows }) => rows > 0).length,
    bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
    imported: {} as Record<string, number>,
    rejected: 0,
    excluded: [] as string[],
    problem: null as FetchProblem | null,
    notes: [] as string[],
  }
  for (const [index, outcome] of outcomes.entries()) {
    if (!(outcome instanceof FetchProblem)) continue
    const { withoutIt } = parts[index]!
    const mayCome = outcome.kind === 'not_yet' || isRetried(outcome)
    if (withoutIt === undefined || mayCome) result.problem ??= outcome
    else result.notes.push(describeLack(outcome.message, withoutIt))
  }
  if (result.problem) return result
  const arrived = parts.flatMap((part, index) => {
    const record = outcomes[index]
    return record && 'file' in record ? [{ part, record }] : []
  })
  const files = [...stored, ...arrived].filter(({ record }) => record.rows > 0)
  if (files.length > 0) deps.onImport?.(day)
  // thirteen files of a day may say the same
  const remarks = new Set<string>()
  for (const group of groupByImport(files)) {
    try {
      const report = await importFiles(group, deps)
      for (const row of report.rows) {
        result.imported[row.dataset] = (result.imported[row.dataset] ?? 0) + row.imported
        result.rejected += row.rejected
      }
      result.excluded.push(...report.rejectFiles, ...report.quarantineFiles)
      result.notes.push(...(report.notes ?? []))
      for (const { record } of group) for (const each of record.remarks) remarks.add(each)
    } catch (error) {
      const sentence = refuseFiles(group, error, deps)
      const { withoutIt } = group[0]!.part
      if (withoutIt === undefined || !(error instanceof RefusedFiles)) {
        result.problem = new FetchProblem('wrong_content', sentence)
        return result
      }
      result.notes.push(describeLack(sentence, withoutIt))
    }
  }
  result.notes.push(...remarks)
  return result
}

/** Says why a part is missing, and what follows. */
export const describeLack = (sentence: string, withoutIt: string): string =>
  `${sentence.replace(/\.$/, '')}; without it ${withoutIt}.`

/** Refuses the files whose content failed an import, all others stay. Returns why it failed. */
function refuseFiles(group: readonly FileOfPart[], error: unknown, deps: FetchDeps): string {
  const sentence = userSentence(error)
  if (sentence === null) throw error
  if (!(error instanceof RefusedFiles)) return sentence
  const sentences = group.flatMap(({ part, record }) => {
    const reason = error.reasons.get(responsePath(deps.dataFolder, record))
    return reason === undefined ? [] : [refuseStored(part, deps, reason)]
  })
  return sentences.join(' ')
}

type FileOfPart = { readonly part: Part; readonly record: ResponseRecord }

/** Files of one format and session together: the open interest and the index first. */
function groupByImport(files: readonly FileOfPart[]): FileOfPart[][] {
  const groups = new Map<string, FileOfPart[]>()
  for (const file of files) {
    const key = `${file.part.format} ${file.part.session ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return [...groups.values()]
}

async function importFiles(group: readonly FileOfPart[], deps: FetchDeps): Promise<ImportReport> {
  const { dataFolder, nowMs } = deps
  const { format, session } = group[0]!.part
  const files = group.map(({ record }) => responsePath(dataFolder, record))
  const replaced = findReplaced(group, deps)
  const degraded = group.filter(each => each.record.is_degraded).map(({ record }) => record.file)
  const isGeo = GEO_FORMATS.some(({ name }) => name === format)
  const day = session === null ? {} : { day: session }
  const report = isGeo
    ? await runGeoImport({ dataFolder, format, files, lockWaitMs: IMPORT_WAIT_MS })
    : await runImport({
        dataFolder,
        format,
        files,
        replaced,
        degraded,
        lockWaitMs: IMPORT_WAIT_MS,
        ...day,
      })
  const imported_at = new Date(nowMs()).toISOString()
  for (const { record } of group) writeResponse(dataFolder, { ...record, imported_at })
  return report
}

/** Files of which the tape has an earlier version, whose rows are dropped. */
function findReplaced(group: readonly FileOfPart[], { dataFolder }: FetchDeps): string[] {
  const { format, session } = group[0]!.part
  if (session === null) return []
  const { batches } = readTapeManifest(dataFolder, session)
  const isReplaced = ({ file, sha256 }: ResponseRecord) =>
    batches.some(
      batch =>
        batch.format === format && batch.source.file === file && batch.source.sha256 !== sha256,
    )
  return group.filter(({ record }) => isReplaced(record)).map(({ record }) => record.file)
}

/**
 * Stores how a source responded, for `sources` and the status. `dueAtMs`: when the next response
 * should come, null for never; left out, what is expected stays.
 */
export function storeOutcome(
  days: readonly Pick<FetchedDay, 'day' | 'problem'>[],
  { dataFolder, source, nowMs }: Pick<FetchDeps, 'dataFolder' | 'source' | 'nowMs'>,
  dueAtMs?: number | null,
): void {
  const now = new Date(nowMs()).toISOString()
  const before = readSourceState(dataFolder, source.name)
  const problem = days.find(each => each.problem !== null)?.problem ?? null
  const newest = days.filter(each => each.problem === null).map(({ day }) => day)
  const expected = before?.due_at != null && before.due_at > now ? before.due_at : null
  const state: SourceState = {
    format: 1,
    source: source.name,
    requested_at: now,
    responded_at: newest.length > 0 ? now : (before?.responded_at ?? null),
    newest_day:
      [...newest, ...(before?.newest_day ? [before.newest_day] : [])].sort().at(-1) ?? null,
    problem: problem?.message ?? null,
    due_at:
      dueAtMs === undefined ? expected : dueAtMs === null ? null : new Date(dueAtMs).toISOString(),
    delay_s: (source.follow?.delayMs ?? 0) / 1000,
  }
  writeSourceState(dataFolder, state)
}

/** Fails with a Refusal where a source has no data of the present or past days that are wanted. */
export function refuseDays(
  source: DataSource,
  days: readonly SessionDate[],
  today: SessionDate,
): void {
  const other = source.isOfToday ? days.find(day => day !== today) : undefined
  if (other === undefined) return
  throw new Refusal(
    `${source.name} has the market of now only, not of ${other}; fetch it today, or take a vendor's.`,
  )
}
