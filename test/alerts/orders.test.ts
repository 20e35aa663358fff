// Which orders a rule matches, and what a body says of them.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedBody } from '../../src/alerts/bodies/bodyPart.ts'
import { orderBody, orderExtra } from '../../src/alerts/bodies/orders.ts'
import { AlertBody } from '../../src/alerts/bodies/schema.ts'
import type { OrderRule } from '../../src/alerts/kinds.ts'
import { ONE_SIDED_KINDS, toAlertKind } from '../../src/alerts/orderKinds.ts'
import type { SeenOrder } from '../../src/alerts/rules/inputs.ts'
import {
  compileRule,
  limitMatches,
  matchOrders,
  orderFacts,
} from '../../src/alerts/rules/orders.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { eventBody } from '../../src/outbox/store/body.ts'
import { quiet, unknownAt, WHOLE_DAY } from '../support/alertDays.ts'
import { runs } from '../support/runs.ts'

const ORDER: SeenOrder = {
  oid: '20261125-130012345678-1',
  t: '13:00',
  kind: 'vertical',
  legs: '5950/5970P',
  expiry: '2026-11-27',
  size: 1000,
  grossPremiumUsd: 2_100_000,
  netPremiumUsd: 400_000,
  gamma: -3.5,
  confidence: 0.8,
  spot: 5990,
  flip: 6000,
  callWall: 6050,
  putWall: 5950,
}
const rule = (conditions: Partial<OrderRule>): OrderRule => ({
  id: 'r_1',
  name: 'mine',
  on: true,
  ...conditions,
})

const matches = (conditions: Partial<OrderRule>, over: Partial<SeenOrder> = {}): boolean =>
  matchOrders(compileRule(rule(conditions)), orderFacts(WHOLE_DAY, [{ ...ORDER, ...over }]))
    .length === 1

test.each<[Partial<OrderRule>, Partial<OrderRule>, Partial<SeenOrder> | null]>([
  [{ kinds: ['condor', 'vertical'] }, { kinds: ['condor'] }, null],
  [{ min_premium: 2.1 }, { min_premium: 2.11 }, null],
  [{ min_net: 0.4 }, { min_net: 0.41 }, { netPremiumUsd: null }],
  [{ min_size: 1000 }, { min_size: 1001 }, null],
  [{ gamma: 'removes' }, { gamma: 'adds' }, { gamma: null }],
  [{ min_gamma: 3.5 }, { min_gamma: 3.51 }, { gamma: null }],
  [{ dte_min: 2 }, { dte_min: 3 }, { expiry: null }],
  [{ dte_max: 2 }, { dte_max: 1 }, { expiry: null }],
  [{ flip_within: 10 }, { flip_within: 9.99 }, { flip: null }],
  [{ flip_is: 'under' }, { flip_is: 'over' }, { spot: null }],
  [
    { wall: 'put_wall', wall_within: 40 },
    { wall: 'call_wall', wall_within: 40 },
    { putWall: null },
  ],
  [{ wall: 'any', wall_within: 40 }, { wall: 'any', wall_within: 39.9 }, { spot: null }],
  [{ wall_within: 40 }, { wall_within: 39.9 }, { callWall: null, putWall: null }],
  [{ from_t: '13:00' }, { from_t: '13:01' }, null],
  [{ to_t: '13:00' }, { to_t: '12:59' }, null],
  [{ min_confidence: 0.8 }, { min_confidence: 0.81 }, null],
])('%j matches, %j does not, and what is not known never does', (yes, no, unknown) => {
  expect([matches(yes), matches(no)]).toEqual([true, false])
  if (unknown) expect(matches(yes, unknown)).toBe(false)
  // it is one condition of several
  expect(matches({ ...yes, min_size: 1 })).toBe(true)
  expect(matches({ ...yes, min_size: 9999 })).toBe(false)
})

test('a rule without conditions matches any order, also one of which nothing is known', () => {
  const unknown = { spot: null, flip: null, callWall: null, putWall: null, expiry: null }
  expect(matches({}, { ...unknown, gamma: null, netPremiumUsd: null })).toBe(true)
})

test.each(Object.entries(ONE_SIDED_KINDS))(
  'an order of the kind %s, which names a side, is matched and reported as %s',
  (oneSided, both) => {
    const over = { kind: oneSided }
    expect(matches({ kinds: [both] }, over)).toBe(true)
    expect(matches({ kinds: [oneSided] }, over)).toBe(false)
    const [facts] = orderFacts(WHOLE_DAY, [{ ...ORDER, ...over }])
    const extra = orderExtra(rule({ kinds: [both] }), { facts: facts! })
    const [plain] = orderFacts(WHOLE_DAY, [{ ...ORDER, kind: both }])
    expect(extra).toEqual(orderExtra(rule({ kinds: [both] }), { facts: plain! }))
    expect(extra.text).toContain(both.replaceAll('_', ' '))
  },
)

test('an order without a gamma of its own neither adds nor removes', () => {
  expect(matches({ gamma: 'adds' }, { gamma: 0 })).toBe(false)
  expect(matches({ gamma: 'removes' }, { gamma: 0 })).toBe(false)
})

test('a net premium counts by its size', () => {
  expect(matches({ min_net: 0.4 }, { netPremiumUsd: -400_000 })).toBe(true)
})

test('the index on the flip is over it', () => {
  expect(matches({ flip_is: 'over', flip_within: 0 }, { spot: 6000 })).toBe(true)
})

test('of 8 matches 5 are sent, the largest premium first, and the last says 3 more', () => {
  const orders = [3, 1, 8, 5, 2, 7, 4, 6].map(millions => ({
    ...ORDER,
    oid: `o${millions}`,
    grossPremiumUsd: millions * 1e6,
  }))
  const limited = (count: number) =>
    limitMatches(
      matchOrders(compileRule(rule({})), orderFacts(WHOLE_DAY, orders.slice(0, count))),
    ).map(({ facts, more }) => `${facts.order.oid}${more === undefined ? '' : ` +${more}`}`)
  expect(limited(8)).toEqual(['o8', 'o7', 'o6', 'o5', 'o4 +3'])
  expect(limited(6)).toEqual(['o8', 'o7', 'o5', 'o3', 'o2 +1'])
  expect(limited(5)).toEqual(['o8', 'o5', 'o3', 'o2', 'o1'])
  expect(limited(0)).toEqual([])
})

test('equal premiums are sent by their ids', () => {
  const orders = ['b', 'c', 'a'].map(oid => ({ ...ORDER, oid }))
  expect(orderFacts(WHOLE_DAY, orders).map(({ order }) => order.oid)).toEqual(['a', 'b', 'c'])
})

test('rules with equal conditions share a key, whatever they are called', () => {
  const key = (conditions: Partial<OrderRule>) => compileRule(rule(conditions)).key
  expect(key({ id: 'r_2', name: 'other', on: false, min_premium: 1, kinds: ['single'] })).toBe(
    key({ kinds: ['single'], min_premium: 1 }),
  )
  expect(key({ min_premium: 1 })).not.toBe(key({ min_net: 1 }))
  expect(key({ wall: 'any', wall_within: 5 })).not.toBe(key({ wall: 'put_wall', wall_within: 5 }))
})

const some = (max: number) => fc.double({ min: -max, max, noNaN: true })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 4 })
const level = maybe(fc.double({ min: 5800, max: 6200, noNaN: true }))
const KINDS = ['single', 'vertical', 'straddle', 'iron_condor', 'unknown', 'back_spread']
const order: fc.Arbitrary<SeenOrder> = fc.record({
  oid: fc.stringMatching(/^20261125-[0-9]{12}-[0-9]$/),
  t: fc.constantFrom('09:30', '10:15', '15:59'),
  kind: fc.constantFrom(...KINDS),
  legs: fc.constantFrom('5950/5970P', '6000C', '5900P/6100C x2'),
  expiry: maybe(fc.constantFrom('2026-11-25', '2026-12-18')),
  size: fc.integer({ min: 1, max: 50_000 }),
  grossPremiumUsd: fc.double({ min: 0, max: 1e9, noNaN: true }),
  netPremiumUsd: maybe(some(1e9)),
  gamma: maybe(some(5000)),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  spot: level,
  flip: level,
  callWall: level,
  putWall: level,
})

const listKeys = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [key, ...listKeys(inner)])

test(`${runs(10_000)} random orders: nothing in a body shows which way they went`, () => {
  const property = fc.property(order, fc.boolean(), (one, isQuiet) => {
    const state = isQuiet ? quiet('10:16') : unknownAt('10:16')
    const found = {
      day: WHOLE_DAY,
      minute: '10:16',
      foundAtMs: instantMs(WHOLE_DAY, '10:16'),
      books: { measured: state, volume: state, open_interest: state },
      isReplay: false,
      isSimulated: true,
    }
    const buildBody = (of: SeenOrder) => {
      const matched = matchOrders(compileRule(rule({})), orderFacts(WHOLE_DAY, [of]))
      const [match] = limitMatches(matched)
      return eventBody({
        id: `evt_${'a'.repeat(32)}`,
        body: storedBody(orderBody(found)),
        extra: JSON.stringify(orderExtra(rule({}), match!)),
        hasPutSupport: true,
      })
    }
    const body = buildBody(one)
    AlertBody.parse(JSON.parse(body))
    expect(body).not.toMatch(/buy|sell|bought|sold|side|sign|null|NaN/i)
    const named = listKeys(JSON.parse(body))
    for (const key of ['g', 'p', 'lg', 'gamma', 'net', 'confidence'])
      expect(named).not.toContain(key)
    // the same order the other way round: the same bytes
    const turned = {
      ...one,
      kind: toAlertKind(one.kind),
      gamma: one.gamma === null ? null : -one.gamma,
      netPremiumUsd: one.netPremiumUsd === null ? null : -one.netPremiumUsd,
      confidence: 1 - one.confidence,
    }
    expect(buildBody(turned)).toBe(body)
  })
  fc.assert(property, { numRuns: runs(10_000), seed: 44 })
})

test('an order is reported against the wall its rule names, else against the nearer one', () => {
  const [facts] = orderFacts(WHOLE_DAY, [ORDER])
  const readWall = (conditions: Partial<OrderRule>) =>
    (orderExtra(rule(conditions), { facts: facts! }).order as { wall: unknown }).wall
  expect(readWall({})).toEqual({ kind: 'put_wall', points: 40 })
  expect(readWall({ wall: 'call_wall' })).toEqual({ kind: 'call_wall', points: 60 })
})

test('the last of five says in words how many more matched', () => {
  const [facts] = orderFacts(WHOLE_DAY, [{ ...ORDER, kind: 'iron_condor' }])
  const { text, more } = orderExtra(rule({}), { facts: facts!, more: 12 })
  expect([more, text]).toEqual([
    12,
    'Order of 13:00: iron condor 5950/5970P, size 1,000, premium 2.1 $M; it matched "mine". ' +
      '12 more orders matched.',
  ])
})

test('a text says a premium to a thousand dollars, the body to the dollar', () => {
  const [facts] = orderFacts(WHOLE_DAY, [{ ...ORDER, grossPremiumUsd: 14_162_702 }])
  const { text, order } = orderExtra(rule({}), { facts: facts! })
  expect(text).toContain('premium 14.163 $M;')
  expect(order).toMatchObject({ premium: 14.162702 })
})
