/** The tasks of a backfill: what they are named, what they need, and when they are due. */

import { sha256 } from '../../src/core/disk/files.ts'
import {
  addDays,
  findTradingSession,
  neighbourSession,
  type SessionDate,
} from '../../src/core/market/calendar.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { type TapeInput, tapeInputs } from '../../src/data/tape/manifest.ts'
import { readFolded } from '../build/stageFiles.ts'
import {
  formatInputs,
  isCurrent,
  isCurrentButForLater,
  isOwnInput,
  isTapeCurrent,
} from './isCurrent.ts'

export type TaskStage = 'fold' | 'carry' | 'build'

/** One task, which any machine with the data folder can do; its id says all of it. */
export type StageTask = {
  /** Such as 'fold-2026-10-15' or 'carry-2026-10-01-2026-10-15'. */
  readonly id: string
  readonly stage: TaskStage
  readonly from: SessionDate
  /** The last session of a carry; of another task, the same as `from`. */
  readonly to: SessionDate
  /** Ids of tasks that have to end before. */
  readonly needs: readonly string[]
  /** Memory that it takes at most, in GB. */
  readonly memory_gb: number
  /** About how long one core takes, in seconds. */
  readonly cpu_seconds: number
  /** Hash of the code and of the files of the tape that it reads. */
  readonly inputs: string
}

/** Memory of a fold or a build of a session of several million prints, in GB. */
export const TASK_MEMORY_GB = 3.5

/** CPU seconds of a task: a base, and more for every million prints. */
const CPU_SECONDS = { fold: [4, 30], carry: [0.3, 0], build: [12, 60] } as const

export type PlanOptions = {
  readonly dataFolder: string
  readonly from: SessionDate
  readonly to: SessionDate
  /** Version of the code that builds. */
  readonly version: string
  /** True to build sessions that are up to date as well. */
  readonly isForced?: boolean
  /** True to fold sessions first and carry positions through them, so that none waits for another. */
  readonly isStaged?: boolean
  /** Sessions that are left as they are. */
  readonly except?: ReadonlySet<SessionDate>
}

/** Tasks of a range of sessions. */
export type RangePlan = {
  /** Sessions with a tape, and without one, oldest first. */
  readonly dates: readonly SessionDate[]
  readonly withoutTape: readonly SessionDate[]
  readonly tasks: readonly StageTask[]
  /** Sessions that have to be built, whatever positions they take. */
  readonly due: ReadonlySet<SessionDate>
}

/**
 * Plans the tasks that bring a range up to date: depends on the tape, the published sessions, what
 * earlier stages have made, and the code, and changes nothing. A session hands its positions to the
 * next one. So when it changes, every later session in a row has a build, which ends at once where
 * the positions turn out the same.
 */
export function planTasks(options: PlanOptions): RangePlan {
  const { dataFolder, from, to, version, isForced = false, isStaged = true } = options
  const { except = new Set() } = options
  const sessions = listSessions(from, to)
  const tape: Tape = new Map(sessions.map(date => [date, tapeInputs(dataFolder, date)]))
  const hasTape = (date: SessionDate) => tape.get(date)!.some(isPrints)
  const dates = sessions.filter(hasTape)
  const withoutTape = sessions.filter(date => !hasTape(date))
  const given = { ...options, tape }
  const rows: SessionDate[][] = []
  const tasks: StageTask[] = []
  const due = new Set<SessionDate>()
  for (const date of dates) {
    if (except.has(date)) continue
    if (isForced || !isCurrent(dataFolder, date, version)) due.add(date)
    const last = rows.at(-1)
    if (last?.at(-1) === neighbourSession(date, -1).date) last.push(date)
    else if (isForced || !isCurrentButForLater(dataFolder, date, version)) rows.push([date])
    else if (due.has(date)) tasks.push(makeTask(given, 'build', [date], []))
  }
  for (const row of rows) tasks.push(...(isStaged ? planStages : planRow)(given, row))
  return { dates, withoutTape, tasks, due }
}

/** Files of the tape by session, each read once. */
type Tape = ReadonlyMap<SessionDate, readonly TapeInput[]>
type Planning = PlanOptions & { readonly tape: Tape }

const isPrints = ({ dataset }: TapeInput): boolean => dataset === 'prints'

/** Builds of sessions in a row, each after the one before. */
const planRow = (options: Planning, row: readonly SessionDate[]): StageTask[] =>
  row.map((date, index) => {
    const needs = index === 0 ? [] : [`build-${row[index - 1]}`]
    return makeTask(options, 'build', [date], needs)
  })

/** Folds, one carry, and builds of sessions in a row; of one alone its build. */
function planStages(options: Planning, row: readonly SessionDate[]): StageTask[] {
  const [first] = row as [SessionDate]
  if (row.length === 1) return planRow(options, row)
  const folds = row
    .slice(0, -1)
    .filter(date => options.isForced || !hasChanges(options, date))
    .map(date => makeTask(options, 'fold', [date], []))
  const carry = makeTask(
    options,
    'carry',
    row,
    folds.map(({ id }) => id),
  )
  const builds = row.map(date =>
    makeTask(options, 'build', [date], date === first ? [] : [carry.id]),
  )
  return [...folds, carry, ...builds]
}

/** True when the changes of a session's positions are known, by this code and from its tape. */
function hasChanges({ dataFolder, version }: PlanOptions, date: SessionDate): boolean {
  if (isTapeCurrent(dataFolder, date, version)) {
    const { position_changes, closing_index } = readManifest(dataFolder, date)!.datasets
    if (position_changes && closing_index) return true
  }
  return isFolded(dataFolder, date, version)
}

/** True when the first stage has made the changes of a session, by this code and from its tape. */
export function isFolded(dataFolder: string, date: SessionDate, version: string): boolean {
  const folded = readFolded(dataFolder, date)
  if (folded?.code_version !== version) return false
  const inputs = tapeInputs(dataFolder, date).filter(isOwnInput)
  return formatInputs(folded.inputs.filter(isOwnInput)) === formatInputs(inputs)
}

function makeTask(
  { version, tape }: Planning,
  stage: TaskStage,
  dates: readonly SessionDate[],
  needs: readonly string[],
): StageTask {
  const [from, to] = [dates[0]!, dates.at(-1)!]
  const inputs = dates.flatMap(date => tape.get(date)!)
  const prints = inputs.filter(isPrints)
  const millions = prints.reduce((sum, { rows }) => sum + rows, 0) / 1e6
  const [base, each] = CPU_SECONDS[stage]
  return {
    id: stage === 'carry' ? `carry-${from}-${to}` : `${stage}-${from}`,
    stage,
    from,
    to,
    needs,
    memory_gb: TASK_MEMORY_GB,
    cpu_seconds: Math.round((base * dates.length + each * millions) * 10) / 10,
    inputs: sha256(`${version}\n${stage}\n${formatInputs(inputs)}`).slice(0, 16),
  }
}

const TASK_ID = /^(?:(fold|build)-(\d{4}-\d\d-\d\d)|carry-(\d{4}-\d\d-\d\d)-(\d{4}-\d\d-\d\d))$/

/** The stage and the days of a task's id; null where it is none. */
export function parseTaskId(
  id: string,
): { stage: TaskStage; from: SessionDate; to: SessionDate } | null {
  const [, stage, day, from, to] = TASK_ID.exec(id) ?? []
  if (day !== undefined) return { stage: stage as TaskStage, from: day, to: day }
  return from !== undefined && to !== undefined ? { stage: 'carry', from, to } : null
}

/** The trading days of a range, oldest first. */
export function listSessions(from: SessionDate, to: SessionDate): SessionDate[] {
  const dates: SessionDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) {
    if (findTradingSession(date)) dates.push(date)
  }
  return dates
}
