import type { Outbox } from '../accounts/outbox/outbox.ts'
import type { AttemptEnd, EndedAttempt } from '../accounts/outbox/types.ts'
import type { Log } from '../http/request.ts'
import {
  type BegunSend,
  type ChannelOutcome,
  type ChannelSenders,
  type SendLimits,
  unsent,
} from './channels.ts'
import { openClaims } from './claims.ts'
import { openEndWriter } from './endWriter.ts'
import { openSlots } from './slots.ts'
import { openWaits, type Timers } from './timers.ts'

export type SenderDeps = {
  readonly outbox: Pick<Outbox, 'claim' | 'beginAttempts' | 'endAttempts'> &
    Partial<Pick<Outbox, 'moveDueTimes'>>
  readonly channels: ChannelSenders
  /** Left out, it sends by every channel, as many as webhooks bear. */
  readonly limits?: SendLimits
  /** No two processes have the same. */
  readonly holder: string
  /** The system's clock. */
  readonly nowMs: () => number
  readonly timers: Timers
  readonly log: Log
  /** Is told of the try that switched its hook off. */
  readonly onSwitchedOff?: (begun: BegunSend) => void
}

/** Sends what waits in the outbox; any number of processes may, beside each other. */
export type Sender = {
  /** Begins to look for what is due; a sender that was stopped does not begin again. */
  readonly start: () => void
  /** Claims no more; settles when what is under way has ended and is written. */
  readonly stop: () => Promise<void>
}

/** What other processes queue, and what one left that was killed, is looked for so often. */
const POLL_MS = 200

/** A sender that does nothing until it is started. */
export function openSender(deps: SenderDeps): Sender {
  const { outbox, channels, holder, nowMs, timers, log } = deps
  const waits = openWaits(timers)
  const slots = openSlots(deps.limits?.slots)
  const underway = new Map<number, BegunSend>()
  const sending = new Set<Promise<void>>()
  let isStopped = false

  const ends = openEndWriter({ outbox, nowMs, timers, log, onWritten })
  const { limits } = deps
  const claiming = { outbox, holder, nowMs, log, slots, limits }
  const claims = openClaims({ ...claiming, isUnderway, onBegun })

  function isUnderway(deliveryId: number): boolean {
    return underway.has(deliveryId)
  }

  function onBegun(begun: BegunSend): void {
    underway.set(begun.deliveryId, begun)
    const sent = send(begun).finally(() => sending.delete(sent))
    sending.add(sent)
  }

  async function send(begun: BegunSend): Promise<void> {
    const { deliveryId, attempt, endedAttempts, channel } = begun
    const outcome = await attemptSend(begun, deps)
    const ownGapMs =
      outcome.result === 'retry' ? channels[channel]?.gapsMs[endedAttempts] : undefined
    const isMoved = outcome.movedTo !== undefined
    const gapMs = isMoved ? 0 : ownGapMs && Math.max(ownGapMs, outcome.waitMs ?? 0)
    const dueAtMs = gapMs === undefined ? null : nowMs() + gapMs
    if (dueAtMs !== null && !isStopped) waits.after(gapMs!, () => claims.wake(dueAtMs))
    ends.add({ deliveryId, attempt, outcome, dueAtMs })
  }

  function onWritten(end: AttemptEnd, ended: EndedAttempt | null): void {
    const begun = underway.get(end.deliveryId)!
    underway.delete(end.deliveryId)
    slots.release(begun.accountId)
    if (ended?.isSwitchedOff) deps.onSwitchedOff?.(begun)
    claims.wake()
  }

  /** The clock when it was looked at last; at first any time is earlier. */
  let latestMs = Number.POSITIVE_INFINITY

  /** A clock that was put back leaves retries and leases in the future: nobody waits for those. */
  function lookAtClock(): void {
    const atMs = nowMs()
    const isPutBack = atMs < latestMs
    latestMs = atMs
    if (!isPutBack) return
    outbox.moveDueTimes?.(atMs).then(
      count => {
        if (count > 0) log.info({ count }, 'deliveries due after the clock was put back are moved')
      },
      error => {
        // looked at again at the next poll
        latestMs = Number.POSITIVE_INFINITY
        log.error({ err: error }, 'due times cannot be moved')
      },
    )
  }

  function poll(): void {
    if (isStopped) return
    lookAtClock()
    claims.wake()
    waits.after(POLL_MS, poll)
  }

  return {
    start: poll,
    stop: async () => {
      isStopped = true
      waits.end()
      await claims.end()
      await Promise.all(sending)
      await ends.drain()
    },
  }
}

/** Tries once; what fails within the service itself is tried again as well. */
async function attemptSend(
  begun: BegunSend,
  { channels, log }: SenderDeps,
): Promise<ChannelOutcome> {
  const { deliveryId, channel: name } = begun
  const channel = channels[name]
  if (!channel) return unsent('failed', 'not_configured')
  try {
    return await channel.send(begun)
  } catch (error) {
    log.error({ err: error, deliveryId }, `a delivery by ${name} failed within the service`)
    return unsent('retry', 'internal')
  }
}
