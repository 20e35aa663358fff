import type { Log } from '../../platform/http/request.ts'
import type { Outbox } from '../store/outbox.ts'
import type { AttemptEnd, EndedAttempt } from '../store/types.ts'
import type { Timers } from './timers.ts'

export type EndWriterDeps = {
  readonly outbox: Pick<Outbox, 'endAttempts'>
  readonly nowMs: () => number
  readonly timers: Timers
  readonly log: Log
  /** Called with each stored end; null when the store no longer knows it. */
  readonly onWritten: (end: AttemptEnd, ended: EndedAttempt | null) => void
}

/** Stores the ends of attempts; those that arrive while a group is written form the next group. */
export type EndWriter = {
  readonly add: (end: AttemptEnd) => void
  /** Settles when all is written, or cannot be. */
  readonly drain: () => Promise<void>
}

/** Time to gather ends that share one commit, since a commit waits for the disk. */
const GATHER_MS = 5
/** Maximum ends of one transaction. */
const GROUP_MAX = 256
/** Delay before a busy database is retried. */
const AGAIN_MS = 200
/** Maximum failures in a row at shutdown, so that a failing database does not block it for ever. */
const LAST_FAILURES_MAX = 10

export function openEndWriter({ outbox, nowMs, timers, log, onWritten }: EndWriterDeps): EndWriter {
  const waiting: AttemptEnd[] = []
  let writing: Promise<void> | null = null
  let isDraining = false

  const write = () => {
    writing ??= writeAll().finally(() => {
      writing = null
    })
  }

  async function writeAll(): Promise<void> {
    await new Promise<void>(go => timers.after(GATHER_MS, go))
    for (let failures = 0; waiting.length > 0; ) {
      const group = waiting.slice(0, GROUP_MAX)
      try {
        const ended = await outbox.endAttempts({ nowMs: nowMs(), ends: group })
        waiting.splice(0, group.length)
        failures = 0
        // in the order of the ends; those the store does not know have no result
        const known = Map.groupBy(ended, one => one.deliveryId)
        for (const end of group) onWritten(end, known.get(end.deliveryId)?.shift() ?? null)
      } catch (error) {
        failures += 1
        log.error({ err: error, count: waiting.length }, 'ends of deliveries cannot be written')
        if (isDraining && failures >= LAST_FAILURES_MAX) return
        await new Promise<void>(again => timers.after(AGAIN_MS, again))
      }
    }
  }

  return {
    add: end => {
      waiting.push(end)
      write()
    },
    drain: async () => {
      isDraining = true
      await writing
    },
  }
}
