import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isStillSent } from '../../platform/http/deprecations.ts'
import type { Log } from '../../platform/http/request.ts'
import type { Outbox } from '../store/outbox.ts'
import type { AttemptEnd, BegunAttempt, EndedAttempt } from '../store/types.ts'
import {
  type BegunSend,
  type ChannelOutcome,
  type ChannelSenders,
  type SendLimits,
  unsent,
} from './channels.ts'
import { openEndWriter } from './endWriter.ts'
import { ACCOUNT_SLOTS_MAX, openSlots, type Slots } from './slots.ts'
import { openWaits, type Timers } from './timers.ts'

type ClaimDeps = {
  readonly outbox: Pick<Outbox, 'claim' | 'beginAttempts'>
  /** Unique among all processes. */
  readonly holder: string
  readonly nowMs: () => number
  readonly log: Log
  readonly slots: Slots
  readonly limits?: SendLimits | undefined
  /**
   * True when this process is attempting the delivery: its lease looks expired after the clock
   * jumps ahead.
   */
  readonly isUnderway: (deliveryId: number) => boolean
  /** Called with each started attempt, which occupies a slot. */
  readonly onBegun: (begun: BegunSend) => void
}

/** Claims due deliveries, one claim at a time. */
type Claims = {
  /** Claims until nothing is due or no slot is free; `dueMs` is the time a timer fired for. */
  readonly wake: (dueMs?: number) => void
  /** Stops claiming; settles when the last claim has started its attempts. */
  readonly end: () => Promise<void>
}

/** Longer than `ATTEMPT_TIMEOUT_MS`: a holder that exceeds this was killed, and another one retries. */
const LEASE_MS = 10_000

/**
 * Maximum deliveries of one claim: starting more at once, with keys, signatures and handshakes,
 * would delay those already being sent.
 */
const CLAIM_MAX = 64

/**
 * Maximum difference between a timer and the clock; beyond it the clock was set and alone counts.
 */
const AHEAD_MAX_MS = 50

function openClaims(deps: ClaimDeps): Claims {
  const { outbox, holder, nowMs, log, slots, isUnderway, onBegun } = deps
  const { leaseMs = LEASE_MS, accountSlots = ACCOUNT_SLOTS_MAX, only } = deps.limits ?? {}
  const leased = { holder, leaseMs }
  let claiming: Promise<void> | null = null
  let isWakePending = false
  let isEnded = false
  let latestDueMs = 0

  const wake = () => {
    isWakePending = true
    if (isEnded || claiming) return
    claiming = claimAll()
      .catch(error => {
        // retried at the next poll, not at once
        isWakePending = false
        log.error({ err: error }, 'deliveries cannot be claimed')
      })
      .finally(() => {
        claiming = null
        if (isWakePending) wake()
      })
  }

  async function claimAll(): Promise<void> {
    while (isWakePending && !isEnded) {
      isWakePending = false
      if ((await claimOnce()) === 0) continue
      isWakePending = true
      await yieldToLoop()
    }
  }

  /**
   * Returns the claim time: a retry whose timer runs slightly ahead of the clock is not left to the
   * next poll.
   */
  const claimNowMs = () => {
    const atMs = nowMs()
    return latestDueMs - atMs <= AHEAD_MAX_MS ? Math.max(atMs, latestDueMs) : atMs
  }

  /** Claims and starts as many deliveries as there are free slots; returns how many. */
  async function claimOnce(): Promise<number> {
    const limit = Math.min(slots.free(), CLAIM_MAX)
    if (limit === 0) return 0
    const leases = await outbox.claim({
      ...leased,
      nowMs: claimNowMs(),
      limit,
      accountMax: accountSlots,
      busy: slots.busy(),
      channels: only,
    })
    const claimed = leases.filter(one => !isUnderway(one.deliveryId))
    if (claimed.length === 0) return 0
    for (const { accountId } of claimed) slots.take(accountId)
    const begun = await beginAll(claimed.map(one => one.deliveryId)).catch((error: unknown) => {
      // their leases expire, and then they are due again
      for (const { accountId } of claimed) slots.release(accountId)
      throw error
    })
    const kinds = new Map(begun.map(one => [one.deliveryId, one]))
    for (const { deliveryId, accountId } of claimed) {
      const one = kinds.get(deliveryId)
      if (one?.kind === 'go') onBegun(one)
      else slots.release(accountId)
    }
    return claimed.length
  }

  const beginAll = (deliveryIds: readonly number[]): Promise<BegunAttempt[]> => {
    const atMs = nowMs()
    const hasPutSupport = isStillSent('put_support', atMs)
    return outbox.beginAttempts({ ...leased, nowMs: atMs, deliveryIds, hasPutSupport })
  }

  return {
    wake: (dueMs = 0) => {
      latestDueMs = Math.max(latestDueMs, dueMs)
      wake()
    },
    end: async () => {
      isEnded = true
      await claiming
    },
  }
}

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
