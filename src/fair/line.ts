/** Work that no caller waits for: it has a turn when nobody else has anything in the line. */
export const NOBODY = ''

/** What waits for its turn, by account. */
export type FairQueue<Item> = {
  /** An account's newest item stands last among its own. */
  readonly add: (account: string, item: Item) => void
  /** Takes an item out that has had no turn; false when it is not there. */
  readonly remove: (account: string, item: Item) => boolean
  /** The items of the next turn, those of all accounts together costing at most `budget`. */
  readonly take: (budget: number, isTogether: (first: Item, other: Item) => boolean) => Item[]
  readonly size: () => number
}

export type FairQueueOptions<Item> = {
  readonly readCost: (item: Item) => number
  /** Real time: what an account had is forgotten by half every ten seconds. */
  readonly nowMs: () => number
}

const HALF_LIFE_MS = 10_000
/** Half-lives after which all that is remembered is measured anew: a double ends at 1,023. */
const ANEW_AFTER = 500
/** Accounts that wait for nothing and are remembered all the same. */
const REMEMBERED = 1_000

/** `had` is what it had lately, as if all of it had been at the beginning of the measure. */
type AccountBacklog<Item> = { readonly items: Item[]; had: number; servedAt: number }

/**
 * Gives turns to the account that, its next item included, had the least lately, counted by what
 * items cost; of equal ones to the one whose last turn was longest ago. Accounts whose items all
 * cost the same so take turns one by one, and who asks seldom, or for little, does not wait for
 * those who always ask for much. An account's own items keep their order. A first item may cost
 * more than the budget: it has the turn alone.
 */
export function openFairQueue<Item>({ readCost, nowMs }: FairQueueOptions<Item>): FairQueue<Item> {
  const waiting = new Map<string, AccountBacklog<Item>>()
  /** Accounts that wait for nothing, those that had their last turn first at the front. */
  const idle = new Map<string, AccountBacklog<Item>>()
  let measuredFromMs = nowMs()
  let servedCount = 0

  /** What a cost of one weighs now beside what was before, which counts less by the half-life. */
  const weightNow = (): number => {
    const passed = (nowMs() - measuredFromMs) / HALF_LIFE_MS
    if (passed < ANEW_AFTER) return 2 ** Math.max(0, passed)
    for (const backlog of [...waiting.values(), ...idle.values()]) backlog.had *= 2 ** -passed
    measuredFromMs = nowMs()
    return 1
  }
  const ensureBacklog = (account: string): AccountBacklog<Item> => {
    const known = waiting.get(account)
    if (known) return known
    const backlog = idle.get(account) ?? { items: [], had: 0, servedAt: 0 }
    idle.delete(account)
    waiting.set(account, backlog)
    return backlog
  }
  const leaveIfDone = (account: string, backlog: AccountBacklog<Item>) => {
    if (backlog.items.length > 0) return
    waiting.delete(account)
    idle.set(account, backlog)
    if (idle.size > REMEMBERED) idle.delete(idle.keys().next().value!)
  }
  const findNext = (passed: ReadonlySet<string>, weight: number): string | null => {
    let next: string | null = null
    let least = { had: Number.POSITIVE_INFINITY, servedAt: 0 }
    for (const [account, { items, had, servedAt }] of waiting) {
      if (account === NOBODY || passed.has(account)) continue
      const would = had + weight * readCost(items[0]!)
      if (would > least.had || (would === least.had && servedAt >= least.servedAt)) continue
      next = account
      least = { had: would, servedAt }
    }
    return next
  }
  const serve = (account: string, weight: number): Item => {
    const backlog = waiting.get(account)!
    const item = backlog.items.shift()!
    backlog.had += weight * readCost(item)
    backlog.servedAt = ++servedCount
    leaveIfDone(account, backlog)
    return item
  }

  return {
    add: (account, item) => void ensureBacklog(account).items.push(item),
    remove: (account, item) => {
      const backlog = waiting.get(account)
      const index = backlog?.items.indexOf(item) ?? -1
      if (!backlog || index < 0) return false
      backlog.items.splice(index, 1)
      leaveIfDone(account, backlog)
      return true
    },
    take: (budget, isTogether) => {
      const taken: Item[] = []
      const passed = new Set<string>()
      const weight = weightNow()
      let cost = 0
      for (;;) {
        const account = findNext(passed, weight)
        if (account === null) break
        const item = waiting.get(account)!.items[0]!
        const isFirst = taken.length === 0
        if (!isFirst && cost + readCost(item) > budget) break
        if (!isFirst && !isTogether(taken[0]!, item)) {
          passed.add(account)
          continue
        }
        cost += readCost(item)
        taken.push(serve(account, weight))
      }
      return taken.length === 0 && waiting.has(NOBODY) ? [serve(NOBODY, weight)] : taken
    },
    size: () => [...waiting.values()].reduce((sum, { items }) => sum + items.length, 0),
  }
}
