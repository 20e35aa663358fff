import type { Log } from '../../platform/http/request.ts'
import type { Outbox } from '../store/outbox.ts'
import type { AttemptEnd, EndedAttempt } from '../store/types.ts'
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
  /** Default: all channels, with the slots of webhooks. */
  readonly limits?: SendLimits
  /** Unique among all processes. */
  readonly holder: string
  /** The system's clock. */
  readonly nowMs: () => number
  readonly timers: Timers
  readonly log: Log
  /** Called with the attempt that switched its webhook endpoint off. */
  readonly onSwitchedOff?: (begun: BegunSend) => void
}

/** Sends the deliveries of the outbox; any number of processes may do so concurrently. */
export type Sender = {
  /** Starts polling; a stopped sender does not start again. */
  readonly start: () => void
  /** Stops claiming; settles when in-flight attempts have ended and are stored. */
  readonly stop: () => Promise<void>
}

/** Poll interval for deliveries that other processes queued, or that a killed process left. */
const POLL_MS = 200

/** Returns a sender that is idle until started. */
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

  /** Clock at the last poll; infinite at first, so that any time is earlier. */
  let latestMs = Number.POSITIVE_INFINITY

  /**
   * Moves due times when the clock was set back: retries and leases would otherwise lie in the
   * future.
   */
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
        // checked again at the next poll
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

/** Attempts once; a failure within the service itself is retried too. */
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
