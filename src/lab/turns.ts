import { PRODUCTS } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { openThrottle } from '../fair/pace.ts'
import { type AccountQueues, openAccountQueues } from '../fair/queues.ts'
import { createCallCounter, spendDaily } from '../http/limits.ts'

/** Messages of an account in one ET day, by whatever way they come. */
export const DAILY_MESSAGES_MAX = PRODUCTS.lab.limits.dailyMessages

/** Bounds the work that the messages of an account make, so that others do not wait for it. */
export type MessageAdmission = {
  /** Takes the messages of an account one after the other. */
  readonly queue: AccountQueues
  /** Settles when the account may use the thread for one message. */
  readonly begin: (accountId: string) => Promise<void>
  /** Counts a message; returns the headers that say what is left of the day. Fails with `rate`. */
  readonly count: (accountId: string) => Promise<Record<string, string>>
}

/** One message is read in each turn of the event loop. `nowMs` is real time. */
export function openMessageAdmission(
  accounts: AccountStore,
  nowMs: () => number,
): MessageAdmission {
  const throttle = openThrottle(nowMs, 1)
  const countCall = createCallCounter(accounts, nowMs)
  return {
    queue: openAccountQueues(),
    begin: accountId => new Promise(begun => throttle(accountId, begun)),
    count: async accountId => {
      const call = await countCall({ accountId, scope: 'lab', keyId: null })
      return spendDaily(DAILY_MESSAGES_MAX, call, 'messages')
    },
  }
}
