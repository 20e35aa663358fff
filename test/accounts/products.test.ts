import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PREFIX_OF_SCOPE, SCOPES } from '../../src/accounts/apiKey.ts'
import {
  type AccountProduct,
  endAfter,
  findProduct,
  isOpenAt,
  lastDayBefore,
  listPlans,
  PRODUCT_NAMES,
  planAt,
} from '../../src/accounts/products.ts'
import { addDays, wallTimeEt } from '../../src/core/market/calendar.ts'
import { runs } from '../support/runs.ts'

const DAY_MS = 86_400_000

/** Any day of 60 years; every third one is next to a change of the clocks. */
const days = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 60 * 365 }).map(dayAfter) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 2007, max: 2060 }), fc.boolean(), fc.integer({ min: -1, max: 1 }))
      .map(([year, isSpring, shift]) => addDays(changeOfClocks(year, isSpring), shift)),
  },
)

function dayAfter(count: number): string {
  return addDays('2000-01-01', count)
}

/** The second Sunday of March, or the first of November: the law since 2007. */
function changeOfClocks(year: number, isSpring: boolean): string {
  const first = isSpring ? `${year}-03-08` : `${year}-11-01`
  return addDays(first, (7 - new Date(`${first}T00:00:00Z`).getUTCDay()) % 7)
}

test('a product is open to the last millisecond of its last ET day, over clock changes too', () => {
  const near = fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS })
  const offsets = fc.oneof(near, fc.constantFrom(-1, 0, 1, 3_600_000, -3_600_000))
  fc.assert(
    fc.property(days, offsets, (lastDay, offset) => {
      const untilMs = endAfter(lastDay)
      const held = { product: 'live', plan: 'live', fromMs: 0, untilMs } as const
      const atMs = untilMs + offset
      // by the date on a New Yorker's wall, not by the instant that was reckoned
      expect(isOpenAt(held, atMs)).toBe(wallTimeEt(atMs).date <= lastDay)
      expect(lastDayBefore(untilMs)).toBe(lastDay)
    }),
    { numRuns: runs(2000) },
  )
})

test.each([
  ['2026-03-07', '2026-03-08T05:00:00Z'],
  ['2026-03-08', '2026-03-09T04:00:00Z'],
  ['2026-10-31', '2026-11-01T04:00:00Z'],
  ['2026-11-01', '2026-11-02T05:00:00Z'],
  ['2026-12-31', '2027-01-01T05:00:00Z'],
])('what is open until %s is over at %s', (lastDay, end) => {
  expect(endAfter(lastDay)).toBe(Date.parse(end))
})

test('a plan is one of its product, from its beginning on, and one that is known', () => {
  const held: AccountProduct = { product: 'geo', plan: 'geo_team', fromMs: 10, untilMs: 20 }
  const seen = [9, 10, 19, 20].map(atMs => planAt([held], 'geo', atMs)?.plan)
  expect(seen).toEqual([undefined, 'geo_team', 'geo_team', undefined])
  expect(planAt([held], 'live', 15)).toBeNull()
  expect(planAt([{ ...held, plan: 'geo_gold' as never }], 'geo', 15)).toBeNull()
  expect(planAt([{ ...held, untilMs: null }], 'geo', 1e15)?.monthlyCalls).toBe(100_000)
})

test('each scope is a product, and a plan is of one product alone', () => {
  expect([...PRODUCT_NAMES].sort()).toEqual([...SCOPES].sort())
  const plans = PRODUCT_NAMES.flatMap(product => listPlans(product).map(({ plan }) => plan))
  expect(new Set(plans).size).toBe(plans.length)
  for (const product of PRODUCT_NAMES) {
    for (const { plan } of listPlans(product)) expect(findProduct(plan as never)).toBe(product)
    expect(PREFIX_OF_SCOPE[product]).toMatch(/^[a-z]+$/)
  }
})
