/** Maximum concurrent attempts of a process, and of one account. */
const SLOTS_MAX = 1024
export const ACCOUNT_SLOTS_MAX = 8

/** Counts in-flight attempts, in total and per account. */
export type Slots = {
  readonly free: () => number
  readonly take: (accountId: string) => void
  readonly release: (accountId: string) => void
  readonly busy: () => [accountId: string, inFlight: number][]
}

export function openSlots(max = SLOTS_MAX): Slots {
  const inFlight = new Map<string, number>()
  let taken = 0
  return {
    free: () => max - taken,
    take: accountId => {
      taken += 1
      inFlight.set(accountId, (inFlight.get(accountId) ?? 0) + 1)
    },
    release: accountId => {
      taken -= 1
      const left = inFlight.get(accountId)! - 1
      if (left === 0) inFlight.delete(accountId)
      else inFlight.set(accountId, left)
    },
    busy: () => [...inFlight],
  }
}
