import { expect, test } from 'vitest'
import { wireLedger } from '../../src/orders/wire.ts'
import { ledgerInput, ledgerOrder, VARIED_ORDERS } from '../support/published.ts'
import { readVectors } from '../support/shared.ts'

const wireOrder = (changes: Parameters<typeof ledgerOrder>[0]) =>
  wireLedger(ledgerInput([ledgerOrder(changes)])).orders[0]!

test('the published example comes out to 1e-9', () => {
  const { g, flip, ...exact } = readVectors('order_example').order
  const order = wireOrder({})
  expect(order).toMatchObject(exact)
  expect(Math.abs(order.g! - g)).toBeLessThanOrEqual(1e-9)
  expect(Math.abs(order.flip! - flip)).toBeLessThanOrEqual(1e-9)
})

test.each([
  [1.3253305176467, 1.325330518],
  [-0.000000000000123456, -1.23456e-13],
  [123456.78901234, 123456.789],
  [0, 0],
])('gamma %d is written %d: ten digits, and never a zero that it is not', (gamma, written) => {
  expect(wireOrder({ dealer_gamma_musd_per_point: gamma }).g).toBe(written)
})

test.each([
  [150_000, 0.15],
  [1_234_567.4, 1.234567],
  [0, 0],
  [-0.2, 0],
])('a net of %d USD is written %d', (usd, musd) => {
  const order = wireOrder({ net_premium_usd: usd })
  expect(Object.is(order.net, musd)).toBe(true)
})

test('nulls are carried, never turned into zeros', () => {
  const unpriced = wireLedger(ledgerInput(VARIED_ORDERS)).orders.at(-1)!
  expect(unpriced).toMatchObject({ g: null, g_null: 'no_side', net: null, flip: null, side: null })
})

test('a tape of another product has no sym; a simulated one says so', () => {
  const real = wireLedger(ledgerInput([]))
  expect([real.sym, real.simulated]).toEqual(['SPX', false])
  const other = wireLedger(ledgerInput([], { symbol: 'VIX', is_simulated: true }))
  expect(other).not.toHaveProperty('sym')
  expect(other.simulated).toBe(true)
})

test('an order carries its evidence, and why it has no side', () => {
  const [first, , , , last] = wireLedger(ledgerInput(VARIED_ORDERS)).orders
  expect(first).toMatchObject({ p: 0.8261, sign_null: null, rule: 'island 1000 us', prints: 2 })
  expect(last).toMatchObject({ p: null, sign_null: 'no_quote', rule: 'single', prints: 1 })
})

test.each(['good', 'doubtful'] as const)('a tape that is %s has no note', grade => {
  const tape = { grade, reasons: ['late_share is 0.2'] }
  expect(wireLedger(ledgerInput([], { tape }))).not.toHaveProperty('note')
})

test('a bad tape is never published as a confident ledger', () => {
  const tape = { grade: 'bad', reasons: ['longest_gap_minutes is 31'] } as const
  const note = 'The tape of 2026-10-14 is bad: do not rely on this ledger.'
  expect(wireLedger(ledgerInput([ledgerOrder()], { tape }))).toMatchObject({ tape, note })
})

const GAP = { from: '10:20', to: '10:24', minutes: 5 }

test('a whole tape reports its gaps next to its grade, also that there are none', () => {
  const tape = { grade: 'good', reasons: [] } as const
  const reported = (gaps: (typeof GAP)[]) => wireLedger(ledgerInput([], { tape, gaps })).tape
  expect(reported([GAP])).toEqual({ grade: 'good', reasons: [], gaps: [GAP] })
  expect(reported([])).toEqual({ grade: 'good', reasons: [], gaps: [] })
})

test('a tape that is not whole has no verdict, and reports its gaps when it has any', () => {
  const { tape: _, ...input } = ledgerInput([])
  expect(wireLedger({ ...input, gaps: [GAP] }).tape).toEqual({ gaps: [GAP] })
  expect(wireLedger({ ...input, gaps: [] })).not.toHaveProperty('tape')
  expect(wireLedger(input)).not.toHaveProperty('tape')
})

test('the fields of a ledger have one order', () => {
  expect(Object.keys(wireLedger(ledgerInput(VARIED_ORDERS)))).toEqual(
    'day sym min_premium asof book simulated tape orders stats'.split(' '),
  )
})

test.each([
  [{ dealer_gamma_musd_per_point: Number.NaN }, 'a ledger number is NaN'],
  [{ net_premium_usd: Number.POSITIVE_INFINITY }, 'a ledger number is Infinity'],
])('a number that JSON cannot hold is refused (%#)', (changes, message) => {
  expect(() => wireOrder(changes)).toThrow(message)
})

test('orders out of their order, and counts that do not add up, are refused', () => {
  const [most, less] = VARIED_ORDERS as [never, never]
  expect(() => wireLedger(ledgerInput([less, most]))).toThrow('a stands after b, which did less')
  const input = ledgerInput(VARIED_ORDERS)
  const stats = { ...input.stats, gamma_up_count: 3 }
  expect(() => wireLedger({ ...input, stats })).toThrow('count 5 orders and 6 gammas of 5 orders')
})
