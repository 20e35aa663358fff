import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOBODY, openFairQueue } from '../../../src/platform/pool/fairQueue.ts'
import { runs } from '../../support/runs.ts'

type Item = { readonly account: string; readonly number: number; readonly cost: number }

const fillQueue = (items: readonly Item[], nowMs = () => 0) => {
  const queue = openFairQueue<Item>({ readCost: ({ cost }) => cost, nowMs })
  for (const item of items) queue.add(item.account, item)
  return queue
}
const apart = () => false
const together = () => true
/** Accounts by name, each with so many items of the same cost. */
const makeItems = (counts: Readonly<Record<string, number>>, cost = 1): Item[] =>
  Object.entries(counts).flatMap(([account, count]) =>
    Array.from({ length: count }, (_, number) => ({ account, number, cost })),
  )

const someItems = fc.array(
  fc.record({
    account: fc.constantFrom('a', 'b', 'c', 'd'),
    number: fc.nat(),
    cost: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 60 },
)

test('three accounts with items of one cost alternate, whoever has more', () => {
  const queue = fillQueue(makeItems({ a: 5, b: 2, c: 3 }))
  const servedAccounts = Array.from({ length: 10 }, () => queue.take(1, apart)[0]!.account)
  expect(servedAccounts.join('')).toBe('abcabcacaa')
  expect(queue.take(1, apart)).toEqual([])
})

test('of items of one cost no account has a second batch before everybody who waits has one', () => {
  const counts = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 5 }), (waiting, cost) => {
      const queue = fillQueue(makeItems(waiting, cost))
      const left = { ...waiting }
      while (queue.size() > 0) {
        const present = Object.keys(left).filter(account => left[account]! > 0)
        const round = present.map(() => queue.take(cost, apart)[0]!.account)
        expect(round.toSorted()).toEqual(present.toSorted())
        for (const account of round) left[account]! -= 1
      }
    }),
  )
})

test('accounts that always wait never differ by more than their two dearest items', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.integer({ min: 1, max: 60 })), costs => {
      const queue = fillQueue([])
      const served = new Map([...'abcd'].map(account => [account, 0]))
      const add = (account: string) => {
        queue.add(account, { account, number: 0, cost: costs.next().value! })
      }
      for (const account of served.keys()) add(account)
      for (let round = 0; round < 200; round++) {
        const { account, cost } = queue.take(60, apart)[0]!
        served.set(account, served.get(account)! + cost)
        add(account)
        const sums = [...served.values()]
        expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(120)
      }
    }),
    { numRuns: runs(30) },
  )
})

test('every item runs once, and those of an account in the order in which they came', () => {
  fc.assert(
    fc.property(someItems, fc.integer({ min: 1, max: 30 }), (items, budget) => {
      const queue = fillQueue(items)
      const taken: Item[] = []
      while (queue.size() > 0) taken.push(...queue.take(budget, together))
      const of = (list: readonly Item[]) => Object.groupBy(list, ({ account }) => account)
      expect({ ...of(taken) }).toEqual({ ...of(items) })
    }),
  )
})

test('a batch costs at most its budget; one item that costs more has it alone', () => {
  fc.assert(
    fc.property(someItems, fc.integer({ min: 1, max: 30 }), (items, budget) => {
      const queue = fillQueue(items)
      while (queue.size() > 0) {
        const taken = queue.take(budget, together)
        const cost = taken.reduce((sum, item) => sum + item.cost, 0)
        expect(taken.length === 1 || cost <= budget).toBe(true)
      }
    }),
  )
})

test('items that cannot share the batch stay in order, and the rest of it is for others', () => {
  const queue = fillQueue([
    { account: 'a', number: 1, cost: 1 },
    { account: 'b', number: 2, cost: 1 },
    { account: 'c', number: 1, cost: 1 },
  ])
  const isEqual = (first: Item, other: Item) => first.number === other.number
  expect(queue.take(9, isEqual).map(({ account }) => account)).toEqual(['a', 'c'])
  expect(queue.take(9, isEqual).map(({ account }) => account)).toEqual(['b'])
})

test('a small request goes before a hundred newcomers with large ones', () => {
  const queue = fillQueue([])
  const careful = { account: 'careful', number: 0, cost: 5 }
  queue.add('careful', careful)
  expect(queue.take(5, apart)).toEqual([careful])
  for (let number = 0; number < 100; number++) {
    queue.add(`greedy ${number}`, { account: `greedy ${number}`, number, cost: 60 })
  }
  queue.add('careful', careful)
  expect(queue.take(60, apart)).toEqual([careful])
})

test('what an account had counts half ten seconds later', () => {
  const clock = { atMs: 0 }
  const queue = fillQueue(makeItems({ early: 9 }), () => clock.atMs)
  for (let round = 0; round < 8; round++) queue.take(1, apart)
  clock.atMs = 20_000
  // eight count as two
  for (const item of makeItems({ late: 5, early: 4 })) queue.add(item.account, item)
  const servedAccounts = Array.from({ length: 10 }, () => queue.take(1, apart)[0]!.account[0])
  expect(servedAccounts.join('')).toBe('llelelelee')
})

test('a line that stands for a year counts as one that has just been opened', () => {
  const clock = { atMs: 0 }
  const queue = fillQueue([], () => clock.atMs)
  const takeFour = () => {
    for (const item of makeItems({ a: 2, b: 2 })) queue.add(item.account, item)
    return Array.from({ length: 4 }, () => queue.take(1, apart)[0]!.account).join('')
  }
  const first = takeFour()
  for (let day = 1; day < 365; day++) {
    clock.atMs += 86_400_000
    expect(takeFour()).toBe(first)
  }
})

test('work that nobody waits for comes when nothing else does, and shares no batch', () => {
  const queue = fillQueue([...makeItems({ [NOBODY]: 2 }), ...makeItems({ a: 2 })])
  const next = () => queue.take(2, together).map(({ account }) => account)
  expect([next(), next()]).toEqual([['a', 'a'], [NOBODY]])
  queue.add('b', { account: 'b', number: 0, cost: 1 })
  expect([next(), next(), next()]).toEqual([['b'], [NOBODY], []])
})

test('an item that was taken out does not run; one that has run is not there', () => {
  const items = makeItems({ a: 2, b: 1 })
  const queue = fillQueue(items)
  expect(queue.remove('a', items[0]!)).toBe(true)
  expect(queue.remove('a', items[0]!)).toBe(false)
  expect(queue.remove('nobody here', items[1]!)).toBe(false)
  expect(queue.take(9, together)).toEqual([items[1], items[2]])
  expect(queue.remove('b', items[2]!)).toBe(false)
})

test('ten thousand accounts that came once are forgotten, and still get served', () => {
  const queue = fillQueue([])
  for (let number = 0; number < 10_000; number++) {
    const item = { account: `account ${number}`, number, cost: 1 }
    queue.add(item.account, item)
    expect(queue.take(1, apart)).toEqual([item])
  }
  expect(queue.size()).toBe(0)
})
