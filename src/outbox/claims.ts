import { setImmediate as turn } from 'node:timers/promises'
import type { Outbox } from '../accounts/outbox/outbox.ts'
import type { BegunAttempt } from '../accounts/outbox/types.ts'
import { isStillSent } from '../http/changes.ts'
import type { Log } from '../http/request.ts'
import type { BegunSend, SendLimits } from './channels.ts'
import { ACCOUNT_SLOTS_MAX, type Slots } from './slots.ts'

export type ClaimDeps = {
  readonly outbox: Pick<Outbox, 'claim' | 'beginAttempts'>
  /** No two processes have the same. */
  readonly holder: string
  readonly nowMs: () => number
  readonly log: Log
  readonly slots: Slots
  readonly limits?: SendLimits | undefined
  /** Whether a delivery is tried here: its lease seems over when the clock is put forward. */
  readonly isUnderway: (deliveryId: number) => boolean
  /** Is told of each try that has begun; it holds a slot. */
  readonly onBegun: (begun: BegunSend) => void
}

/** Claims what is due, one claim at a time. */
export type Claims = {
  /** Claims until nothing is due, or no slot is free; `dueMs` is due by a timer's word. */
  readonly wake: (dueMs?: number) => void
  /** Claims no more; settles when the last claim has begun its tries. */
  readonly end: () => Promise<void>
}

/** A try takes 3 s at most: who is slower than this was killed, and another one tries again. */
const LEASE_MS = 10_000

/**
 * Deliveries of one claim: to begin more at once, with keys, signatures and handshakes, would hold
 * up what is sent already.
 */
const CLAIM_MAX = 64

/** By so much a timer and the clock differ; where the clock was put, it alone counts. */
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
        // asked again at the next look at what is due, not at once
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
      await turn()
    }
  }

  /** A retry whose timer is a little ahead of the clock is not left to the next poll. */
  const claimNowMs = () => {
    const atMs = nowMs()
    return latestDueMs - atMs <= AHEAD_MAX_MS ? Math.max(atMs, latestDueMs) : atMs
  }

  /** Claims as many as there is room for, and begins them; answers how many there were. */
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
      // their lease ends, and then they are due again
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
