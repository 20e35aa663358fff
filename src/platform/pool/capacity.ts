import { retryLater } from '../http/error.ts'
import { NOBODY } from './fairQueue.ts'

/** Seconds after which a refused request may be repeated. */
const OWN_RETRY_S = 2
const ALL_RETRY_S = 5

/** Maximum number of waiting requests: of one account, and of all. */
export type Bounds = { readonly own: number; readonly all: number }

/** Slot that a request of an account holds while it waits; `refuse` ends the wait. */
export type WaitingSlot = { readonly account: string; readonly refuse: (error: Error) => void }

/** Limits the waiting requests of a scheduler. */
export type WaitingCapacity = {
  /**
   * Takes a slot. Fails with `rate` when the account has no more. When all are taken, the account
   * with the most gives up its newest one; fails with `unavailable` when that is this account.
   */
  readonly enter: (slot: WaitingSlot) => void
  readonly leave: (slot: WaitingSlot) => void
  /** Number of slots taken. */
  readonly count: () => number
}

export function openWaitingCapacity({ own, all }: Bounds): WaitingCapacity {
  const waiting = new Map<string, Set<WaitingSlot>>()
  let total = 0

  const leave = (slot: WaitingSlot) => {
    const slots = waiting.get(slot.account)
    if (!slots?.delete(slot)) return
    total -= 1
    if (slots.size === 0) waiting.delete(slot.account)
  }
  /** Newest slot of the account with the most, when it has more than `count`. */
  const newestOfMost = (count: number): WaitingSlot | null => {
    let most: ReadonlySet<WaitingSlot> | null = null
    for (const slots of waiting.values()) if (slots.size > (most?.size ?? count)) most = slots
    return most && [...most].at(-1)!
  }
  const enter = (slot: WaitingSlot) => {
    const { account } = slot
    // work without an account limits itself
    if (account === NOBODY) return
    const count = waiting.get(account)?.size ?? 0
    if (count >= own) {
      throw retryLater(
        'rate',
        `${count} questions of this account are waiting already`,
        OWN_RETRY_S,
      )
    }
    if (total >= all) {
      const full = retryLater('unavailable', `${total} questions are waiting already`, ALL_RETRY_S)
      // otherwise a few accounts with too many requests would lock out all others
      const given = newestOfMost(count + 1)
      if (given === null) throw full
      leave(given)
      given.refuse(full)
    }
    waiting.set(account, (waiting.get(account) ?? new Set()).add(slot))
    total += 1
  }
  return { enter, leave, count: () => total }
}
