import PQueue from 'p-queue'
import type { Clock } from '../../src/core/clock.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import type { WrittenMonths } from '../../src/data/published/months.ts'
import { dueBuilds, dueNight, oldestCaughtUp } from './dueSessions.ts'
import type { Nights, NightWork } from './nights.ts'

/** Operations of a night's work. */
export type SchedulerWork = {
  /**
   * One for each source: fetches its sessions that are missing and should be there; false when some
   * could not be. It may take as long as the source does.
   */
  readonly fetches: readonly (() => Promise<boolean>)[]
  /** Looks at the sessions as they are now, from one date on. */
  readonly look: (from: SessionDate) => Promise<SessionsSeen>
  /** Builds outdated sessions from one date to another; returns those that failed. */
  readonly build: (from: SessionDate, to: SessionDate) => Promise<readonly SessionDate[]>
  /** Compares every published file with its hash; returns a sentence for each difference. */
  readonly verify: () => Promise<readonly string[]>
  /** Writes the months whose finished sessions have changed. */
  readonly months: () => Promise<Pick<WrittenMonths, 'written' | 'faults'>>
  /** Deletes events that accounts were sent too long ago; returns their number. */
  readonly forget: (nowMs: number) => Promise<number>
}

export type SessionsSeen = {
  /** Days with prints on the tape. */
  readonly tapes: readonly SessionDate[]
  /** True when a session is published by this code from its tape. */
  readonly isCurrent: (date: SessionDate) => boolean
}

export type SchedulerDeps = SchedulerWork & {
  readonly nights: Nights
  readonly clock: Clock
  readonly say: (line: string) => void
}

export type Scheduler = {
  /** Does all due work; resolves when nothing is left to do. What fails is reported. */
  readonly wake: () => Promise<void>
  /** Does all due work once; false when some of it failed. */
  readonly once: () => Promise<boolean>
}

/**
 * Does due work when it is woken, and only that. Sources are fetched while sessions are built: one that hangs
 * delays neither what is there nor the others.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const failedAtMs = new Map<SessionDate, number>()
  const build = () => buildDue(deps, failedAtMs)
  const upkeep = wakeable(deps.say, async () => {
    await build()
    await doNight(deps)
  })
  const fetches = deps.fetches.map(fetch => wakeable(deps.say, fetch))
  const wake = async () => {
    const fetched = fetches.map(wakeFetch => wakeFetch().then(upkeep))
    await Promise.all([upkeep(), ...fetched])
  }
  const once = async () => {
    const builds = new PQueue({ concurrency: 1 })
    const fetched = deps.fetches.map(async fetch => {
      const isFetched = await fetch()
      return (await builds.add(build)) && isFetched
    })
    const steps = await Promise.all([builds.add(build), ...fetched])
    const isNightDone = await doNight(deps)
    return isNightDone && steps.every(isDone => isDone)
  }
  return { wake, once }
}

/** Returns what wakes work that runs once at a time: woken meanwhile, it runs once more. */
function wakeable(say: (line: string) => void, work: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isWanted = false
  const run = async () => {
    while (isWanted) {
      isWanted = false
      try {
        await work()
      } catch (error) {
        // the next tick attempts it again
        say(`could not catch up: ${(error as Error).message}`)
      }
    }
  }
  const wake = (): Promise<void> => {
    isWanted = true
    running ??= run().finally(() => {
      running = null
      // woken while it was about to end
      if (isWanted) void wake()
    })
    return running
  }
  return wake
}

/** Does what is done once a night; false when some of it found a fault. */
async function doNight(deps: SchedulerDeps): Promise<boolean> {
  const areVerified = await verifyDue(deps)
  const areByMonth = await monthsDue(deps)
  return (await forgetDue(deps)) && areByMonth && areVerified
}

/** False when a session could not be built. */
async function buildDue(deps: SchedulerDeps, failedAtMs: Map<SessionDate, number>) {
  const { clock, look, build, say } = deps
  const nowMs = clock.nowMs()
  const due = dueBuilds({ nowMs, ...(await look(oldestCaughtUp(nowMs))), failedAtMs })
  if (due.length === 0) return true
  say(`${due.length === 1 ? '1 session is' : `${due.length} sessions are`} to be built`)
  const failed = await build(due[0]!, due.at(-1)!)
  for (const date of due) failedAtMs.delete(date)
  for (const date of failed) failedAtMs.set(date, clock.nowMs())
  return failed.length === 0
}

/** Verifies published files once a night; false when one has changed. */
function verifyDue(deps: SchedulerDeps): Promise<boolean> {
  return doNightly(deps, 'verify', async night => {
    const faults = await deps.verify()
    for (const fault of faults) deps.say(fault)
    deps.say(`verified for the night of ${night}: ${faults.length} findings`)
    return faults.length === 0
  })
}

/** Writes the months whose sessions have changed, once a night; false when one is damaged. */
function monthsDue(deps: SchedulerDeps): Promise<boolean> {
  return doNightly(deps, 'months', async () => {
    const { written, faults } = await deps.months()
    for (const key of written) deps.say(`wrote ${key}`)
    for (const fault of faults) deps.say(fault)
    return faults.length === 0
  })
}

/** Deletes old events; an account database that cannot be opened is retried at the next tick. */
function forgetDue(deps: SchedulerDeps): Promise<boolean> {
  return doNightly(deps, 'forget', async () => {
    const count = await deps.forget(deps.clock.nowMs())
    if (count > 0)
      deps.say(`${count === 1 ? '1 event' : `${count} events`} of more than 30 days ago deleted`)
    return true
  })
}

/** Does a night's work, once; false when it was done now and found a fault. */
async function doNightly(
  { nights, clock }: SchedulerDeps,
  name: NightWork,
  work: (night: string) => Promise<boolean>,
): Promise<boolean> {
  const night = dueNight(clock.nowMs(), nights.last(name))
  if (night === null) return true
  const isFaultless = await work(night)
  nights.store(name, night)
  return isFaultless
}
