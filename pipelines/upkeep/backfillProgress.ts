/** How far a backfill is, for people who watch its status. */

import type { Clock } from '../../src/core/clock.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { type BackfillState, writeBackfillState } from '../../src/data/backfillState.ts'
import type { TaskEnd } from './runTasks.ts'
import type { StageTask } from './tasks.ts'

/** Interval at which the state is written while no task ends. */
const WRITE_MS = 30_000

export type BackfillProgress = {
  /** Begins the tasks of a plan, the first one or a later one. */
  readonly begin: (tasks: readonly StageTask[]) => void
  readonly setRunning: (count: number) => void
  /** Counts an end, and returns the time left, in milliseconds; null: not known yet. */
  readonly end: (task: StageTask, end: TaskEnd) => number | null
  readonly close: () => void
}

/** Counts the tasks of a backfill and stores the counts where the status reads them. */
export function openBackfillProgress(
  dataFolder: string,
  range: { readonly from: SessionDate; readonly to: SessionDate },
  clock: Clock,
): BackfillProgress {
  const startedAtMs = clock.nowMs()
  const failed = new Map<SessionDate, string>()
  const done = new Set<SessionDate>()
  const sessions = new Set<SessionDate>()
  let beganAtMs = startedAtMs
  let running = 0
  let left = new Map<string, StageTask>()
  // CPU seconds by estimate: a fold counts less than a build, and a carry hardly
  let [endedSeconds, allSeconds] = [0, 0]

  const msLeft = () => {
    if (endedSeconds === 0) return left.size === 0 ? 0 : null
    return ((clock.nowMs() - beganAtMs) * (allSeconds - endedSeconds)) / endedSeconds
  }
  const write = (endedAt: string | null) => {
    const now = clock.nowMs()
    const hours = (now - startedAtMs) / 3_600_000
    const ms = msLeft()
    const state: BackfillState = {
      from: range.from,
      to: range.to,
      started_at: new Date(startedAtMs).toISOString(),
      updated_at: new Date(now).toISOString(),
      ended_at: endedAt,
      sessions: sessions.size,
      done: done.size,
      running,
      waiting: Math.max(0, left.size - running),
      failed: [...failed].map(([day, reason]) => ({ day, reason })),
      sessions_per_hour: done.size > 0 && hours > 0 ? Math.round(done.size / hours) : null,
      seconds_left: ms === null ? null : Math.round(ms / 1000),
    }
    writeBackfillState(dataFolder, state)
  }
  const timer = setInterval(() => write(null), WRITE_MS)
  timer.unref()
  return {
    begin: tasks => {
      left = new Map(tasks.map(task => [task.id, task]))
      beganAtMs = clock.nowMs()
      endedSeconds = 0
      allSeconds = tasks.reduce((sum, task) => sum + task.cpu_seconds, 0)
      for (const { stage, from } of tasks) if (stage === 'build') sessions.add(from)
      write(null)
    },
    setRunning: count => {
      running = count
    },
    end: (task, { outcome, reason }) => {
      left.delete(task.id)
      endedSeconds += task.cpu_seconds
      if (task.stage === 'build') {
        if (outcome === 'failed') failed.set(task.from, reason ?? 'it failed.')
        else done.add(task.from)
      }
      write(null)
      return msLeft()
    },
    close: () => {
      clearInterval(timer)
      running = 0
      write(new Date(clock.nowMs()).toISOString())
    },
  }
}
