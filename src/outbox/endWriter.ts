import type { Outbox } from '../accounts/outbox/outbox.ts'
import type { AttemptEnd, EndedAttempt } from '../accounts/outbox/types.ts'
import type { Log } from '../http/request.ts'
import type { Timers } from './timers.ts'

export type EndWriterDeps = {
  readonly outbox: Pick<Outbox, 'endAttempts'>
  readonly nowMs: () => number
  readonly timers: Timers
  readonly log: Log
  /** Is told of each end that is written; null where the store does not know it any more. */
  readonly onWritten: (end: AttemptEnd, ended: EndedAttempt | null) => void
}

/** Writes how tries ended: what ends while a group is written makes the next group. */
export type EndWriter = {
  readonly add: (end: AttemptEnd) => void
  /** Settles when all is written, or cannot be. */
  readonly drain: () => Promise<void>
}

/** A commit waits for the disk: what ends within so long is written with one. */
const GATHER_MS = 5
/** Ends in one transaction. */
const GROUP_MAX = 256
/** A database that was busy is asked again after so long. */
const AGAIN_MS = 200
/** When the process stops, a database that does not write is not waited for for ever. */
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
        // in the order of the ends; what the store does not know has no answer
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
