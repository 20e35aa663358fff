// Orders by filter, sort and page: what a second, plain way finds.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ORDER_SORTS, type OrderSearch } from '../../src/orders/ask.ts'
import type { WireOrder } from '../../src/orders/schema.ts'
import { listChoices, searchOrders } from '../../src/orders/search.ts'
import { runs } from '../support/runs.ts'

const order = fc.record({
  oid: fc.uuid(),
  t: fc.constantFrom('09:31', '09:32', '15:59'),
  kind: fc.constantFrom('single', 'vertical'),
  exp: fc.constantFrom('2026-10-15', '2026-10-16', null),
  lg: fc.array(fc.tuple(fc.constant(5900), fc.constant('C'), fc.constantFrom(-1, 0, 1)), {
    minLength: 1,
    maxLength: 3,
  }),
  net: fc.option(fc.integer({ min: 0, max: 5 })),
  contracts: fc.option(fc.integer({ min: 1, max: 5 })),
  flip: fc.option(fc.integer({ min: 0, max: 5 })),
}) as unknown as fc.Arbitrary<WireOrder>

const search = fc.record({
  kind: fc.constantFrom(null, 'single', 'vertical', 'condor'),
  side: fc.constantFrom(null, 'bought', 'sold', 'none'),
  exp: fc.constantFrom(null, '2026-10-15'),
  minPremium: fc.constantFrom(null, 0, 2, 5),
  sort: fc.constantFrom(...ORDER_SORTS),
  start: fc.nat({ max: 12 }),
  count: fc.nat({ max: 12 }),
}) as fc.Arbitrary<OrderSearch>

const SIGN = { bought: 1, sold: -1, none: 0 } as const

test('the orders of a search are those that a second way finds', () => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 40 }), search, (orders, by) => {
      const left: WireOrder[] = []
      for (const one of orders) {
        if (by.kind && one.kind !== by.kind) continue
        if (by.exp && one.exp !== by.exp) continue
        if (by.side && one.lg[0]![2] !== SIGN[by.side]) continue
        if (by.minPremium !== null && !(Number(one.net ?? Number.NaN) >= by.minPremium)) continue
        left.push(one)
      }
      const weigh = {
        effect: () => 0,
        time: (one: WireOrder) => `${one.t} ${one.oid}`,
        premium: (one: WireOrder) => -(one.net ?? -1),
        contracts: (one: WireOrder) => -(one.contracts ?? -1),
        flip: (one: WireOrder) => one.flip ?? 1e9,
      }[by.sort]
      // an insertion sort keeps those alike in their order
      const sorted: WireOrder[] = []
      for (const one of left) {
        const index = sorted.findIndex(other => weigh(other) > weigh(one))
        sorted.splice(index < 0 ? sorted.length : index, 0, one)
      }
      const found = searchOrders(orders, by)
      expect(found.matched).toBe(left.length)
      expect(found.orders).toEqual(
        sorted.filter((_, index) => index >= by.start).slice(0, by.count),
      )
    }),
    { numRuns: runs(500) },
  )
})

test('choices stand by how often they are there, and nothing is no choice', () => {
  expect(listChoices(['b', 'a', null, 'b', 'c', 'a', 'b'])).toEqual(['b', 'a', 'c'])
})
