import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { isStillSent } from '../../platform/http/deprecations.ts'
import type { Log } from '../../platform/http/request.ts'
import type { Outbox } from '../store/outbox.ts'
import type { BegunAttempt } from '../store/types.ts'
import type { BegunSend, SendLimits } from './channels.ts'
import { ACCOUNT_SLOTS_MAX, type Slots } from './slots.ts'

export type ClaimDeps = {
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
export type Claims = {
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

export function openClaims(deps: ClaimDeps): Claims {
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
