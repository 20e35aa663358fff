import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { parseRange } from '../../src/core/days.ts'
import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { formatDuration } from '../../src/core/text/counts.ts'
import { refuseNewer } from '../../src/data/published/manifest.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { withAdvisoryLock } from '../../src/platform/database/advisoryLock.ts'
import { StoreAway } from '../../src/platform/store/faults.ts'
import { removeStages } from '../build/stageFiles.ts'
import { commandProgress, environmentConfig } from '../command/command.ts'
import { type Progress, silent } from '../command/progress.ts'
import { pushTape } from '../command/sharedStore.ts'
import { type BackfillProgress, openBackfillProgress } from './backfillProgress.ts'
import { collectAfter } from './collect.ts'
import { addNewDatasets } from './newDatasets.ts'
import { planRange, withPlanView } from './planRange.ts'
import type { BACKFILL } from './rows.ts'
import { defaultWorkers, type RunTask, runInChild, runTasks, type TaskEnd } from './runTasks.ts'
import { countTasks, openTaskQueue, shareTasks, type TaskRun, workTasks } from './sharedTasks.ts'
import type { StoreView } from './storeView.ts'
import { listSessions, type RangePlan, type StageTask } from './tasks.ts'

export type BackfillOptions = {
  readonly dataFolder: string
  readonly from: SessionDate
  readonly to: SessionDate
  /** True to build sessions that are up to date as well. */
  readonly isForced: boolean
  /** Number of tasks at once on this machine. */
  readonly workerCount: number
  /** False where sessions are built one after the other, which folds none of them twice. */
  readonly isStaged: boolean
  /** View of the store that machines share, to plan from; null: the data folder. */
  readonly view?: StoreView | null
  readonly say: (line: string) => void
  /** Shows the sessions that are built of those to be built; nobody by default. */
  readonly progress?: Pick<Progress, 'meter'>
  /** Runs tasks, each after those that it needs, and reports their ends. */
  readonly run: RunAll
  readonly clock?: Clock
}

export type RunAll = (
  tasks: readonly StageTask[],
  isForced: boolean,
  onEnd: (task: StageTask, end: TaskEnd) => void,
  /** Called with the number of tasks that run, when it has changed. */
  onRunning: (count: number) => void,
) => Promise<void>

/** Outcomes of the sessions of the range, each list oldest first. */
export type Backfilled = Readonly<
  Record<'built' | 'current' | 'failed' | 'withoutTape', readonly SessionDate[]>
>

/** Interval at which the views are renewed while sessions are built. */
const VIEWS_MS = 60_000

/** Interval of attempts to plan from a store that is away. */
const AWAY_RETRY_MS = 5_000

/** Interval at which the running tasks of all machines are counted. */
const COUNT_MS = 2_000

/**
 * Plans of one backfill. The first builds what is due; a later one builds what that has made due: an
 * audit that set prints apart, or a session that failed, changes what the next sessions take.
 */
const PLANS_MAX = 6

/**
 * Builds every session of a range that has a tape and is not published by this code from these
 * inputs. With several workers sessions are folded first, all at once, and positions carried
 * through them, so that no build waits for another. Progress is known from files alone, so a run
 * that was killed continues.
 */
export async function backfill(options: BackfillOptions): Promise<Backfilled> {
  const { dataFolder, from, to, clock = systemClock } = options
  const first = await makePlan(options, new Set(), options.isForced)
  if (first.dates.length === 0) {
    throw new Refusal(`no session from ${from} to ${to} has a tape: import one first.`)
  }
  refuseNewer(dataFolder)
  const progress = openBackfillProgress(dataFolder, { from, to }, clock)
  // the views list all sessions: they are renewed for many at once
  const renewing = setInterval(() => void renewViews(dataFolder).catch(() => {}), VIEWS_MS)
  try {
    return await runPlans(options, first, progress)
  } finally {
    clearInterval(renewing)
    progress.close()
    await renewViews(dataFolder)
  }
}

/** Makes a plan; waits for a store that is away. */
async function makePlan(
  { dataFolder, from, to, isStaged, say, view = null }: BackfillOptions,
  except: ReadonlySet<SessionDate>,
  isForced: boolean,
): Promise<RangePlan> {
  const version = codeVersion()
  for (let isFirst = true; ; isFirst = false) {
    try {
      const plan = { dataFolder, from, to, version, isForced, isStaged, except }
      return await planRange(view, plan)
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error
      if (isFirst) say(`${error.message} Waiting for it.`)
      await delay(AWAY_RETRY_MS)
    }
  }
}

async function runPlans(
  options: BackfillOptions,
  first: RangePlan,
  progress: BackfillProgress,
): Promise<Backfilled> {
  const { dataFolder, say } = options
  const { dates, withoutTape } = first
  if (withoutTape.length > 0) {
    say(`no tape: ${rangesText(withoutTape, listSessions(options.from, options.to))}`)
  }
  if (first.tasks.length === 0) say(`${dates.length} sessions have a tape, 0 to be built`)
  // carried by a run that was killed: its tape may have changed since
  removeStages(dataFolder, 'carried')
  const ends = new Map<SessionDate, TaskEnd['outcome']>()
  const failed = new Set<SessionDate>()
  let plan = first
  for (let round = 1; plan.tasks.length > 0; round++) {
    if (round > PLANS_MAX) {
      for (const { from } of plan.tasks) failed.add(from)
      say(`positions changed in each of ${PLANS_MAX} rounds; run the backfill again`)
      break
    }
    const isForced = options.isForced && round === 1
    const changed = await runPlan(options, { plan, isForced, round, progress }, ends)
    for (const [date, outcome] of ends) if (outcome === 'failed') failed.add(date)
    if (!changed) break
    removeStages(dataFolder, 'carried')
    plan = await makePlan(options, failed, false)
  }
  removeStages(dataFolder)
  const withOutcome = (outcome: TaskEnd['outcome']) =>
    dates.filter(date => !failed.has(date) && ends.get(date) === outcome)
  const built = withOutcome('done')
  return {
    built,
    current: dates.filter(date => !failed.has(date) && !built.includes(date)),
    failed: [...failed].sort(),
    withoutTape,
  }
}

type Round = {
  readonly plan: RangePlan
  readonly isForced: boolean
  readonly round: number
  readonly progress: BackfillProgress
}

/** Runs the tasks of a plan; true when it changed anything, or failed at something. */
async function runPlan(
  options: BackfillOptions,
  { plan, isForced, round, progress }: Round,
  ends: Map<SessionDate, TaskEnd['outcome']>,
): Promise<boolean> {
  const { say } = options
  const { dates, tasks, due } = plan
  const builds = tasks.filter(({ stage }) => stage === 'build')
  const others = builds.length - due.size
  const also = others > 0 ? `, and ${others} after them if the positions they take change` : ''
  say(
    round === 1
      ? `${dates.length} sessions have a tape, ${due.size} to be built${also}`
      : `${due.size} to be built again, as the positions that they take have changed${also}`,
  )
  const lines = progressLines(plan)
  progress.begin(tasks)
  let isChanged = false
  let reported = 0
  const meter = { what: 'backfill', unit: 'sessions', total: builds.length }
  await (options.progress ?? silent).meter(meter, bar =>
    options.run(
      tasks,
      isForced,
      (task, end) => {
        if (task.stage === 'carry' && end.outcome === 'failed') throw new Refusal(end.reason!)
        const line = lines(task, end, progress.end(task, end))
        if (line !== null) say(line)
        if (task.stage !== 'build') return
        bar.update({ done: ++reported })
        if (end.outcome !== 'current') isChanged = true
        if (ends.get(task.from) !== 'done' || end.outcome !== 'current') {
          ends.set(task.from, end.outcome)
        }
      },
      progress.setRunning,
    ),
  )
  return isChanged
}

/** One line a task: its number in the range, its outcome, and an estimate of the remaining time. */
function progressLines({
  dates,
  tasks,
}: RangePlan): (task: StageTask, end: TaskEnd, leftMs: number | null) => string | null {
  const builds = new Set(tasks.filter(({ stage }) => stage === 'build').map(({ id }) => id))
  const folds = tasks.filter(({ stage }) => stage === 'fold').length
  let foldedCount = 0
  return ({ id, stage, from }, { outcome, reason, tookMs }, leftMs) => {
    if (stage === 'carry') return `positions are carried through ${foldedCount} sessions`
    if (stage === 'fold') {
      foldedCount++
      return outcome === 'failed' ? null : `folded ${foldedCount} of ${folds}  ${from}`
    }
    const prefix = `${dates.indexOf(from) + 1} of ${dates.length}  ${from}`
    builds.delete(id)
    if (outcome === 'current') return `${prefix}  is up to date`
    const isLast = builds.size === 0 || leftMs === null
    const outlook = isLast ? '' : `, about ${formatDuration(leftMs)} left`
    const how = outcome === 'failed' ? 'FAILED after' : 'built in'
    return `${prefix}  ${how} ${formatDuration(tookMs)}${outlook}${reason ? `: ${reason}` : ''}`
  }
}

/** Dates as runs of sessions: '2026-10-12 to 2026-10-14, 2026-10-16'. */
function rangesText(dates: readonly SessionDate[], sessions: readonly SessionDate[]): string {
  const runs: [first: SessionDate, last: SessionDate][] = []
  for (const date of dates) {
    const run = runs.at(-1)
    if (run && sessions.indexOf(run[1]) + 1 === sessions.indexOf(date)) run[1] = date
    else runs.push([date, date])
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(', ')
}

export type BackfillRun = Omit<BackfillOptions, 'run' | 'isStaged'> & {
  /** True to refuse a tape with too little left for a ledger. */
  readonly isBadTapeRefused: boolean
  /** PostgreSQL of machines that share the tasks, and a folder or a store; null: this one is alone. */
  readonly databaseUrl: string | null
}

/**
 * Runs a backfill, the only one of the data folder or of the shared database.
 * With a database its tasks are shared with every machine on which "tapefold work" runs.
 */
export async function runBackfill(options: BackfillRun): Promise<Backfilled> {
  const { dataFolder, workerCount, isBadTapeRefused, databaseUrl, say } = options
  const runOne = (by: Partial<TaskRun> & Pick<TaskRun, 'isForced'>, signal?: AbortSignal) => {
    const { run, isForced } = by
    return runInChild(
      {
        dataFolder,
        isForced,
        isBadTapeRefused,
        isOneOfMany: true,
        ...(run !== undefined && { run }),
      },
      { ...(signal && { signal }) },
    )
  }
  if (databaseUrl === null) {
    const lock = lockPath(dataFolder, 'backfill')
    const busy = 'Another backfill of this data folder is running; wait until it has ended.'
    const run: RunAll = (tasks, isForced, onEnd, onRunning) => {
      const runChild = runOne({ isForced })
      let running = 0
      const runCounted: RunTask = async task => {
        onRunning(++running)
        return runChild(task).finally(() => onRunning(--running))
      }
      return runTasks(tasks, workerCount, runCounted, onEnd)
    }
    return withLock(lock, busy, () => backfill({ ...options, run, isStaged: workerCount > 1 }))
  }
  const busy =
    'Another backfill is running on this database; start "tapefold work" to do tasks of it.'
  // the queue reports that the database is away
  const lock = { url: databaseUrl, name: 'backfill', busy }
  return withAdvisoryLock(lock, async signal => {
    const boss = await openTaskQueue(databaseUrl, say)
    try {
      await workTasks(boss, workerCount, runOne)
      const run: RunAll = async (tasks, isForced, onEnd, onRunning) => {
        const count = () =>
          void countTasks(boss).then(
            ({ running }) => onRunning(running),
            () => {},
          )
        const timer = setInterval(count, COUNT_MS)
        await shareTasks(boss, tasks, isForced, onEnd, signal).finally(() => clearInterval(timer))
      }
      // imports of this machine whose push was killed
      await pushTape(dataFolder, silent)
      return await withPlanView(dataFolder, view =>
        backfill({ ...options, run, view, isStaged: true }),
      )
    } finally {
      await boss.stop({ graceful: false }).catch(() => {})
    }
  })
}

/** Adds the datasets that sessions of a range lack; no option of a build has a meaning here. */
async function runNewDatasets(input: Input<typeof BACKFILL>): Promise<void> {
  const { data: dataFolder, words } = input
  const unfit = (['workers', 'force', 'refuse-bad-tape'] as const).filter(name => input[name])
  if (unfit.length > 0) {
    const names = unfit.map(name => `--${name}`).join(', ')
    throw new UsageError(`--only-new-datasets builds nothing; leave out ${names}.`)
  }
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const range = parseRange(words)
  const { added, complete, failed } = await addNewDatasets({ dataFolder, ...range, say })
  await collectAfter(dataFolder, systemClock, say)
  say(`${added.length} completed, ${complete.length} already complete, ${failed.length} failed`)
  if (failed.length > 0) {
    throw new Refusal(`nothing was added, for the reasons above, to ${failed.join(', ')}.`)
  }
}

/** Runs `tapefold backfill`. */
export async function backfillCommand(input: Input<typeof BACKFILL>): Promise<void> {
  const range = parseRange(input.words)
  if (input['only-new-datasets']) return runNewDatasets(input)
  const progress = commandProgress()
  const { say } = progress
  const { built, current, failed } = await runBackfill({
    ...range,
    dataFolder: input.data,
    isForced: input.force,
    isBadTapeRefused: input['refuse-bad-tape'],
    workerCount: input.workers ?? defaultWorkers(),
    databaseUrl: environmentConfig().databaseUrl,
    say,
    progress,
  })
  await collectAfter(input.data, systemClock, say)
  say(`${built.length} built, ${current.length} up to date, ${failed.length} failed`)
  if (failed.length > 0) {
    throw new Refusal(`not built, for the reasons above: ${failed.join(', ')}.`)
  }
}
