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

export type LineOptions<Item> = {
  readonly costOf: (item: Item) => number
  /** Real time: what an account had is forgotten by half every ten seconds. */
  readonly nowMs: () => number
}

const HALF_LIFE_MS = 10_000
/** Half-lives after which all that is remembered is measured anew: a double ends at 1,023. */
const ANEW_AFTER = 500
/** Accounts that wait for nothing and are remembered all the same. */
const REMEMBERED = 1_000

/** `had` is what it had lately, as if all of it had been at the beginning of the measure. */
type Standing<Item> = { readonly items: Item[]; had: number; servedAt: number }

/**
 * Gives turns to the account that, its next item included, had the least lately, counted by what
 * items cost; of equal ones to the one whose last turn was longest ago. Accounts whose items all
 * cost the same so take turns one by one, and who asks seldom, or for little, does not wait for
 * those who always ask for much. An account's own items keep their order. A first item may cost
 * more than the budget: it has the turn alone.
 */
export function openLine<Item>({ costOf, nowMs }: LineOptions<Item>): Line<Item> {
  const waiting = new Map<string, Standing<Item>>()
  /** Accounts that wait for nothing, those that had their last turn first at the front. */
  const idle = new Map<string, Standing<Item>>()
  let measuredFromMs = nowMs()
  let turns = 0

  /** What a cost of one weighs now beside what was before, which counts less by the half-life. */
  const weightNow = (): number => {
    const passed = (nowMs() - measuredFromMs) / HALF_LIFE_MS
    if (passed < ANEW_AFTER) return 2 ** Math.max(0, passed)
    for (const place of [...waiting.values(), ...idle.values()]) place.had *= 2 ** -passed
    measuredFromMs = nowMs()
    return 1
  }
  const placeOf = (account: string): Standing<Item> => {
    const known = waiting.get(account)
    if (known) return known
    const place = idle.get(account) ?? { items: [], had: 0, servedAt: 0 }
    idle.delete(account)
    waiting.set(account, place)
    return place
  }
  const leaveIfDone = (account: string, place: Standing<Item>) => {
    if (place.items.length > 0) return
    waiting.delete(account)
    idle.set(account, place)
    if (idle.size > REMEMBERED) idle.delete(idle.keys().next().value!)
  }
  const nextOf = (passed: ReadonlySet<string>, weight: number): string | null => {
    let next: string | null = null
    let least = { had: Number.POSITIVE_INFINITY, servedAt: 0 }
    for (const [account, { items, had, servedAt }] of waiting) {
      if (account === NOBODY || passed.has(account)) continue
      const would = had + weight * costOf(items[0]!)
      if (would > least.had || (would === least.had && servedAt >= least.servedAt)) continue
      next = account
      least = { had: would, servedAt }
    }
    return next
  }
  const serve = (account: string, weight: number): Item => {
    const place = waiting.get(account)!
    const item = place.items.shift()!
    place.had += weight * costOf(item)
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
      const weight = weightNow()
      let cost = 0
      for (;;) {
        const account = nextOf(passed, weight)
        if (account === null) break
        const item = waiting.get(account)!.items[0]!
        const isFirst = taken.length === 0
        if (!isFirst && cost + costOf(item) > budget) break
        if (!isFirst && !isTogether(taken[0]!, item)) {
          passed.add(account)
          continue
        }
        cost += costOf(item)
        taken.push(serve(account, weight))
      }
      return taken.length === 0 && waiting.has(NOBODY) ? [serve(NOBODY, weight)] : taken
    },
    size: () => [...waiting.values()].reduce((sum, { items }) => sum + items.length, 0),
  }
}
