import { createCallCounter, spendDaily } from '../accounts/limits/dayLimit.ts'
import { MESSAGES_PER_DAY_MAX } from '../accounts/products.ts'
import { type AccountQueues, openAccountQueues } from '../platform/pool/accountQueues.ts'
import { openThrottle } from '../platform/pool/throttle.ts'
import type { LabAccounts } from './store/store.ts'

/** Bounds the work of an account's messages, so that they do not delay other accounts. */
export type MessageAdmission = {
  /** Processes the messages of an account one after the other. */
  readonly queue: AccountQueues
  /** Resolves when the account may use the thread for one message. */
  readonly begin: (accountId: string) => Promise<void>
  /** Counts a message; returns the headers with the day's remaining quota. Fails with `rate`. */
  readonly count: (accountId: string) => Promise<Record<string, string>>
}

/** Reading a message takes some milliseconds: other requests get most of the time in between. */
const MESSAGE_PAUSE_MS = 16

/** Parses one message at a time, with a pause after each. `nowMs` is real time. */
export function openMessageAdmission(accounts: LabAccounts, nowMs: () => number): MessageAdmission {
  const throttle = openThrottle(nowMs, { piecesAtOnce: 1, pauseMs: MESSAGE_PAUSE_MS })
  const countCall = createCallCounter(accounts, nowMs)
  return {
    queue: openAccountQueues(),
    begin: accountId => new Promise(begun => throttle(accountId, begun)),
    count: async accountId => {
      const call = await countCall({ accountId, scope: 'lab', keyId: null })
      return spendDaily(MESSAGES_PER_DAY_MAX, call, 'messages')
    },
  }
}
