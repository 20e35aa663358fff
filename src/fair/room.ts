import { ApiError } from '../http/error.ts'
import { NOBODY } from './line.ts'

/** When a question that was refused may be asked again. */
const OWN_RETRY_S = 2
const ALL_RETRY_S = 5

/** How many questions may wait at once: of one account, and of all. */
export type Bounds = { readonly own: number; readonly all: number }

/** What a question of an account takes while it waits; `refuse` ends the wait. */
export type Place = { readonly account: string; readonly refuse: (error: Error) => void }

/** Counts what waits at a desk. */
export type Room = {
  /**
   * Takes a place. Fails with `rate` when the account has no more. When all are taken, the account
   * with the most gives its newest one away; fails with `unavailable` when that is this account.
   */
  readonly enter: (place: Place) => void
  readonly leave: (place: Place) => void
  /** Places that are taken. */
  readonly count: () => number
}

export function openRoom({ own, all }: Bounds): Room {
  const waiting = new Map<string, Set<Place>>()
  let total = 0

  const leave = (place: Place) => {
    const places = waiting.get(place.account)
    if (!places?.delete(place)) return
    total -= 1
    if (places.size === 0) waiting.delete(place.account)
  }
  /** The newest place of the account with the most, when that is more than `count`. */
  const newestOfMost = (count: number): Place | null => {
    let most: ReadonlySet<Place> | null = null
    for (const places of waiting.values()) if (places.size > (most?.size ?? count)) most = places
    return most && [...most].at(-1)!
  }
  const enter = (place: Place) => {
    const { account } = place
    // who asks in nobody's name bounds itself
    if (account === NOBODY) return
    const count = waiting.get(account)?.size ?? 0
    if (count >= own) {
      throw refusal('rate', `${count} questions of this account are waiting already`, OWN_RETRY_S)
    }
    if (total >= all) {
      const full = refusal('unavailable', `${total} questions are waiting already`, ALL_RETRY_S)
      // else a few accounts that ask for too much would keep everybody else out
      const given = newestOfMost(count + 1)
      if (given === null) throw full
      leave(given)
      given.refuse(full)
    }
    waiting.set(account, (waiting.get(account) ?? new Set()).add(place))
    total += 1
  }
  return { enter, leave, count: () => total }
}

const refusal = (code: 'rate' | 'unavailable', seen: string, seconds: number) =>
  new ApiError(code, {
    message: `${seen}; ask again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })
