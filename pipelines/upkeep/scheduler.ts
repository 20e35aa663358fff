import type { Clock } from '../../src/core/clock.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { LOG_RETENTION_MS } from '../../src/outbox/store/expired.ts'
import type { JobQueue } from '../../src/platform/jobs/queue.ts'
import { dueBuilds, dueNight } from './dueSessions.ts'

/** Operations of a night's work. */
export type SchedulerWork = {
  /** Fetches the sessions that are missing and should be there; false when some could not be. */
  readonly fetch: () => Promise<boolean>
  /** Days with prints on the tape. */
  readonly tapes: () => readonly SessionDate[]
  /** Returns a check that a session is published by this code from its tape as it is now. */
  readonly currency: () => (date: SessionDate) => boolean
  /** Builds outdated sessions from one date to another; returns those that failed. */
  readonly build: (from: SessionDate, to: SessionDate) => Promise<readonly SessionDate[]>
  /** Compares every published file with its hash; returns a sentence for each difference. */
  readonly verify: () => Promise<readonly string[]>
  /** Deletes events sent to accounts before an instant, in ms; returns their number. */
  readonly forget: (beforeMs: number) => Promise<number>
}

export type SchedulerDeps = SchedulerWork & {
  readonly queue: JobQueue
  readonly clock: Clock
  /** A name no other scheduler has. */
  readonly holder: string
  readonly say: (line: string) => void
}

export type Scheduler = {
  /** Takes or renews the lease; catches up when it is newly taken. */
  readonly beat: () => Promise<void>
  /** Catches up, if this scheduler holds the lease; resolves when nothing is left to do. */
  readonly wake: () => Promise<void>
  /** Does all due work and releases the lease; false when some of it failed. */
  readonly once: () => Promise<boolean>
  readonly letGo: () => Promise<void>
}

const LEASE = 'schedule'

/** Queues of one job each, the last night's. */
const VERIFICATIONS = 'verify'
const FORGETTINGS = 'forget'

/**
 * Does due work when it is woken, and only that. Of the schedulers on one queue, the holder of a
 * lease works; when it dies the next one takes over once the lease has expired.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { queue, holder, say } = deps
  const failedAtMs = new Map<SessionDate, number>()
  let isHolder = false
  let running: Promise<void> | null = null
  let isWanted = false

  const run = async () => {
    while (isWanted && isHolder) {
      isWanted = false
      try {
        await deps.fetch()
        await buildDue(deps, failedAtMs)
        await verifyDue(deps)
        await forgetDue(deps)
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
      if (isWanted && isHolder) void wake()
    })
    return running
  }
  const hold = async () => {
    const had = isHolder
    // a database that does not respond may have given the lease to another holder
    isHolder = await queue.holdLease(LEASE, holder).catch(() => false)
    return isHolder && !had
  }
  const letGo = () => {
    isHolder = false
    return queue.releaseLease(LEASE, holder)
  }
  return {
    wake,
    letGo,
    beat: async () => {
      // not awaited: the work takes longer than the lease lasts
      if (await hold()) void wake()
    },
    once: async () => {
      await hold()
      if (!isHolder) {
        say('another scheduler is at work; nothing was done')
        return true
      }
      try {
        const areFetched = await deps.fetch()
        const areBuilt = await buildDue(deps, failedAtMs)
        const areVerified = await verifyDue(deps)
        return (await forgetDue(deps)) && areVerified && areBuilt && areFetched
      } finally {
        await letGo()
      }
    },
  }
}

/** False when a session could not be built. */
async function buildDue(deps: SchedulerDeps, failedAtMs: Map<SessionDate, number>) {
  const { clock, tapes, currency, build, say } = deps
  const state = { nowMs: clock.nowMs(), tapes: tapes(), isCurrent: currency(), failedAtMs }
  const due = dueBuilds(state)
  if (due.length === 0) return true
  say(`${due.length === 1 ? '1 session is' : `${due.length} sessions are`} to be built`)
  const failed = await build(due[0]!, due.at(-1)!)
  for (const date of due) failedAtMs.delete(date)
  for (const date of failed) failedAtMs.set(date, clock.nowMs())
  return failed.length === 0
}

/** Verifies published files once a night; false when one has changed. */
async function verifyDue(deps: SchedulerDeps) {
  return await doNightly(deps, VERIFICATIONS, async night => {
    const faults = await deps.verify()
    for (const fault of faults) deps.say(fault)
    deps.say(`verified for the night of ${night}: ${faults.length} findings`)
    const outcome = faults.length === 0 ? 'verified' : 'failed'
    return { outcome, reason: faults[0] ?? null }
  })
}

/** Deletes old events; an account database that cannot be opened is retried at the next tick. */
async function forgetDue(deps: SchedulerDeps) {
  return await doNightly(deps, FORGETTINGS, async () => {
    const count = await deps.forget(deps.clock.nowMs() - LOG_RETENTION_MS)
    if (count > 0)
      deps.say(`${count === 1 ? '1 event' : `${count} events`} of more than 30 days ago deleted`)
    return { outcome: 'deleted', reason: null }
  })
}

type Night = { readonly outcome: 'verified' | 'deleted' | 'failed'; readonly reason: string | null }

/** Does a night's work, once; false when it was done now and failed. */
async function doNightly(
  { queue, clock, holder }: SchedulerDeps,
  name: string,
  work: (night: string) => Promise<Night>,
): Promise<boolean> {
  const done = (await queue.ended(name)).at(-1)?.item ?? null
  const night = dueNight(clock.nowMs(), done)
  if (night === null) return true
  await queue.clear(name)
  await queue.add(name, [{ item: night, after: null }])
  const job = await queue.claim(name, holder)
  if (!job) return true
  const startedAtMs = clock.nowMs()
  const { outcome, reason } = await work(night)
  await queue.finish(job, { outcome, reason, tookMs: clock.nowMs() - startedAtMs })
  return outcome !== 'failed'
}
