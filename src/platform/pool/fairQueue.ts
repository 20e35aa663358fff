/** Account of work without a caller: it runs only when no other account has work in the queue. */
export const NOBODY = ''

/** Queue that shares capacity fairly between accounts. */
export type FairQueue<Item> = {
  /** Appends an item to those of its account. */
  readonly add: (account: string, item: Item) => void
  /** Removes a waiting item; false when it is not in the queue. */
  readonly remove: (account: string, item: Item) => boolean
  /** Takes the items of the next batch, at most `budget` in total cost over all accounts. */
  readonly take: (budget: number, isTogether: (first: Item, other: Item) => boolean) => Item[]
  readonly size: () => number
}

export type FairQueueOptions<Item> = {
  readonly readCost: (item: Item) => number
  /** Real time: the recorded use of an account halves every ten seconds. */
  readonly nowMs: () => number
}

const HALF_LIFE_MS = 10_000
/** Half-lives after which all recorded use is rescaled: a double overflows at 2^1024. */
const RESCALE_AFTER = 500
/** Maximum number of accounts remembered while they have nothing waiting. */
const REMEMBERED = 1_000

/** `had` is its recent use, scaled to the start of the measurement. */
type AccountBacklog<Item> = { readonly items: Item[]; had: number; servedAt: number }

/**
 * Serves the account whose recent use, including its next item, is lowest, measured by the cost of
 * items; of equal ones the least recently served. Accounts whose items all cost the same thus
 * alternate, and an account with few or cheap requests does not wait for those with constant heavy
 * use. Items of an account keep their order. A first item may cost more than the budget: it is
 * served alone.
 */
export function openFairQueue<Item>({ readCost, nowMs }: FairQueueOptions<Item>): FairQueue<Item> {
  const waiting = new Map<string, AccountBacklog<Item>>()
  /** Accounts with nothing waiting, least recently served first. */
  const idle = new Map<string, AccountBacklog<Item>>()
  let measuredFromMs = nowMs()
  let servedCount = 0

  /** Current weight of a cost of one; older use counts less by the half-life. */
  const weightNow = (): number => {
    const passed = (nowMs() - measuredFromMs) / HALF_LIFE_MS
    if (passed < RESCALE_AFTER) return 2 ** Math.max(0, passed)
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
