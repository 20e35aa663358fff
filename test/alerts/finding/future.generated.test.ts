// Events of a minute never depend on what came after it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrderRow, SessionMinutes, StateRow } from '../../../src/alerts/finding/minutes.ts'
import type { AlertLine, OrderRule } from '../../../src/alerts/kinds.ts'
import { instantMs, minutesAfter, wallTimeEt } from '../../../src/core/market/calendar.ts'
import type { Book } from '../../../src/data/published/books.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { account, ENTRIES, findSession } from '../../support/foundMinutes.ts'
import { runs } from '../../support/runs.ts'

const DAY = '2026-10-15'
const MINUTES = 40
const FIRST_MS = instantMs(DAY, '09:31')

/** Contents of a minute: steps of the index and of the levels, and orders. */
const step = fc.record({
  spot: fc.option(fc.integer({ min: -12, max: 12 }), { freq: 12 }),
  flip: fc.option(fc.constantFrom(0, 0, 0, 3, -3, 14, -14), { freq: 12 }),
  call: fc.constantFrom(6025, 6025, 6025, 6050),
  put: fc.constantFrom(5975, 5975, 5975, 5950),
  gamma: fc.integer({ min: -60, max: 60 }),
  orders: fc.array(fc.record({ id: fc.integer({ min: 0, max: 9 }), size: fc.nat(300) }), {
    maxLength: 3,
  }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** The session that steps make. */
function buildSession(steps: readonly Step[]): SessionMinutes {
  const states = new Map<string, StateRow>()
  const orders = new Map<string, OrderRow[]>()
  const versions = new Map<number, OrderRow[]>()
  let [spot, flip] = [6000, 6003]
  for (const [index, one] of steps.entries()) {
    const minute = minutesAfter('09:31', index)
    spot += one.spot ?? 0
    flip += one.flip ?? 0
    for (const book of ['measured', 'vol', 'oi'] as const) {
      states.set(`${minute} ${book}`, {
        minute_et: minute,
        book_basis: book,
        spot: one.spot === null ? null : spot,
        flip: one.flip === null ? null : flip,
        flip_roots: one.flip === null ? [] : [flip],
        flip_lo: flip - 4,
        flip_hi: flip + 4,
        call_wall: one.call,
        put_wall: one.put,
        reason: null,
        net_gamma_musd_per_point: one.gamma,
      })
    }
    orders.set(minute, [])
    for (const { id, size } of one.orders) {
      const known = versions.get(id) ?? []
      const atMs = FIRST_MS + index * 60_000
      const row: OrderRow = {
        state_ms: atMs,
        visible_us: atMs * 1000 - 1,
        order_id: `o${id}`,
        size,
        revision_number: known.length + 1,
        minute_et: minute,
        structure: 'single',
        legs_text: '6000C',
        main_expiry: DAY,
        gross_premium_usd: size * 1000,
        net_premium_usd: 5e4,
        dealer_gamma_musd_per_point: 1,
        spot,
        flip,
        fold_confidence: 0.9,
      }
      versions.set(id, [...known, row])
      orders.get(minute)!.push(row)
    }
  }
  const findState = (minute: string, book: Book) => states.get(`${minute} ${book}`) ?? null
  return {
    manifest: { session_date: DAY, simulated: false } as PublishedManifest,
    untilMs: FIRST_MS + (steps.length - 1) * 60_000,
    findState,
    listVersions: id => versions.get(Number(id.slice(1))) ?? [],
    minuteAt: atMs => {
      const { minute } = wallTimeEt(atMs)
      const of = (book: Book) => findState(minute, book)
      const books = { measured: of('measured'), vol: of('vol'), oi: of('oi') }
      return { day: DAY, minute, atMs, books, orders: orders.get(minute)! }
    },
  }
}

const LINE = { mode: 'repeat', direction: 'any', note: null } as const
const lines: AlertLine[] = [
  { ...LINE, id: 'l_price', kind: 'price', price: 6004 },
  { ...LINE, id: 'l_flip', kind: 'level', level: 'flip', book: 'volume', offset: 2 },
]
const rules: OrderRule[] = [{ id: 'r_big', name: 'big', on: true, min_size: 150 }]
const findEvents = (steps: readonly Step[]) =>
  findSession({
    minutes: buildSession(steps),
    accounts: [account('a', { list: ENTRIES, lines, rules })],
  })

const steps = fc.array(step, { minLength: MINUTES, maxLength: MINUTES })

test('another future changes nothing that was sent by then', () => {
  let count = 0
  fc.assert(
    fc.property(steps, steps, fc.integer({ min: 1, max: MINUTES - 1 }), (one, other, cut) => {
      const last = minutesAfter('09:31', cut - 1)
      const until = (found: ReturnType<typeof findEvents>) =>
        found.filter(({ minute }) => minute <= last)
      const expected = until(findEvents(one))
      count += expected.length
      expect(until(findEvents([...one.slice(0, cut), ...other.slice(cut)]))).toEqual(expected)
    }),
    { numRuns: runs(100, 25) },
  )
  expect(count).toBeGreaterThan(runs(300))
})

test('an order is sent once a rule, and every event has an id of its own', () => {
  fc.assert(
    fc.property(steps, given => {
      const found = findEvents(given)
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
      const orders = found.flatMap(({ body }) => (body.order ? [body.order.oid] : []))
      expect(new Set(orders).size).toBe(orders.length)
    }),
    { numRuns: runs(50) },
  )
})
