import { type Bounds, openWaitingCapacity } from './capacity.ts'
import { ACCOUNT_WAITING_MAX, SCHEDULER_WAITING_MAX } from './requestScheduler.ts'

/**
 * Runs the work of an account one piece at a time, and that of several accounts concurrently. Fails
 * with `rate` when too many pieces of the account wait, and with `unavailable` when too many of all
 * do.
 */
export type AccountQueues = <Result>(
  account: string,
  work: () => Promise<Result>,
) => Promise<Result>

const BOUNDS: Bounds = { own: ACCOUNT_WAITING_MAX, all: SCHEDULER_WAITING_MAX }

export function openAccountQueues(bounds: Bounds = BOUNDS): AccountQueues {
  const capacity = openWaitingCapacity(bounds)
  const newest = new Map<string, Promise<unknown>>()

  return async (account, work) => {
    const before = newest.get(account)
    const waiting = Promise.withResolvers<void>()
    const slot = { account, refuse: waiting.reject }
    capacity.enter(slot)
    const done = waiting.promise.then(work)
    const ended = done.catch(() => {}).then(() => before)
    newest.set(account, ended)
    try {
      await before
      capacity.leave(slot)
      waiting.resolve()
      return await done
    } finally {
      // later work of the account waits for this promise, if there is any
      if (newest.get(account) === ended) newest.delete(account)
    }
  }
}
