/** Work that no caller waits for: it has a turn when nobody else has anything in the line. */
export const NOBODY = ''

/** What waits for its turn, by account. */
export type Line<Item> = {
  /** An account's newest item stands last among its own. */
  readonly add: (account: string, item: Item) => void
  /** Takes an item out that has had no turn; false when it is not there. */
  readonly remove: (account: string, item: Item) => boolean
  /** The items of the next turn, those of all accounts together costing at most `budget`. */
  readonly take: (budget: number, isTogether: (first: Item, other: Item) => boolean) => Item[]
  readonly size: () => number
}

/** Accounts that wait for nothing and are remembered all the same. */
const REMEMBERED = 1_000

type Standing<Item> = { readonly items: Item[]; served: number; servedAt: number }

export type LineOptions<Item> = {
  readonly costOf: (item: Item) => number
  /** An account that comes back is at most so much ahead of those that were there all the time. */
  readonly headStart: number
}

/**
 * Gives turns to the account that had the least so far, counted by what its items cost; of equal
 * ones to the one whose last turn was longest ago. Accounts whose items all cost the same so take
 * turns one by one, and who asks seldom does not wait for those who ask all the time. An account's
 * own items keep their order. A first item may cost more than the budget: it has the turn alone.
 */
export function openLine<Item>({ costOf, headStart }: LineOptions<Item>): Line<Item> {
  const waiting = new Map<string, Standing<Item>>()
  /** Accounts that wait for nothing, those that had their last turn first at the front. */
  const idle = new Map<string, Standing<Item>>()
  let reached = 0
  let turns = 0

  const placeOf = (account: string): Standing<Item> => {
    const known = waiting.get(account)
    if (known) return known
    const before = idle.get(account) ?? { items: [], served: 0, servedAt: 0 }
    idle.delete(account)
    before.served = Math.max(before.served, reached - headStart)
    waiting.set(account, before)
    return before
  }
  const leaveIfDone = (account: string, place: Standing<Item>) => {
    if (place.items.length > 0) return
    waiting.delete(account)
    idle.set(account, place)
    if (idle.size > REMEMBERED) idle.delete(idle.keys().next().value!)
  }
  const isAhead = (one: Standing<Item>, other: Standing<Item>) =>
    one.served === other.served ? one.servedAt < other.servedAt : one.served < other.served
  const nextOf = (passed: ReadonlySet<string>): [string, Standing<Item>] | null => {
    let next: [string, Standing<Item>] | null = null
    for (const entry of waiting) {
      const [account, place] = entry
      if (account === NOBODY || passed.has(account)) continue
      if (next === null || isAhead(place, next[1])) next = entry
    }
    return next
  }
  const serve = (account: string, place: Standing<Item>): Item => {
    const item = place.items.shift()!
    reached = Math.max(reached, place.served)
    place.served += costOf(item)
    place.servedAt = ++turns
    leaveIfDone(account, place)
    return item
  }

  return {
    add: (account, item) => void placeOf(account).items.push(item),
    remove: (account, item) => {
      const place = waiting.get(account)
      const index = place?.items.indexOf(item) ?? -1
      if (!place || index < 0) return false
      place.items.splice(index, 1)
      leaveIfDone(account, place)
      return true
    },
    take: (budget, isTogether) => {
      const taken: Item[] = []
      const passed = new Set<string>()
      let cost = 0
      for (let next = nextOf(passed); next !== null; next = nextOf(passed)) {
        const [account, place] = next
        const item = place.items[0]!
        const isFirst = taken.length === 0
        if (!isFirst && cost + costOf(item) > budget) break
        if (!isFirst && !isTogether(taken[0]!, item)) {
          passed.add(account)
          continue
        }
        cost += costOf(item)
        taken.push(serve(account, place))
      }
      const last = waiting.get(NOBODY)
      return taken.length === 0 && last ? [serve(NOBODY, last)] : taken
    },
    size: () => [...waiting.values()].reduce((sum, { items }) => sum + items.length, 0),
  }
}
