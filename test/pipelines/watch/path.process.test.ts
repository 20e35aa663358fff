// Alerts over their whole way: a session is published minute by minute, and the test is what a
// receiver of webhooks is sent.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs, minutesAfter } from '../../../src/core/market/calendar.ts'
import { type MadeOrder, type MadeState, quietStates } from '../../support/madeMinutes.ts'
import { randomNumbers } from '../../support/random.ts'
import { saying } from '../../support/receiver.ts'
import { judgedBy, openWholePath, type WholePath } from '../../support/wholePath.ts'

const DAY = '2026-11-25'
let path: WholePath

beforeEach(async () => {
  path = await openWholePath()
})
afterEach(() => path.close())

/** Nothing of the list is on but what a test sets. */
const SILENT = ['flip_cross', 'wall_break', 'regime_change'].map(type => {
  return { op: 'set', entry: { type, book: 'measured', on: false } }
})
const entry = (type: string, more: object = {}) => ({
  op: 'set',
  entry: { type, book: 'measured', on: true, ...more },
})
const line = (more: object) => ({ op: 'add', line: more })
const rule = (more: object) => ({ op: 'add', rule: { name: 'mine', ...more } })

/** From 09:35 on the states are changed. */
const FROM = '09:35'
const UNTIL = '09:45'
const listStates = (before: MadeState, changed: MadeState, day = DAY) => {
  const minutes = Object.keys(quietStates(day, {}, { until: UNTIL }))
  const changes = minutes.map(minute => [
    minute,
    minute < FROM ? before : { ...before, ...changed },
  ])
  return quietStates(day, Object.fromEntries(changes), { until: UNTIL })
}

type Case = {
  readonly what: string
  readonly set: readonly object[]
  readonly before?: MadeState
  readonly changed?: MadeState
  readonly orders?: readonly MadeOrder[]
  /** Changes of a stored position. */
  readonly position?: object
  /** Type and minute of each, with its other fields. */
  readonly expected: readonly (readonly [type: string, minute: string, told: object])[]
}

const CASES: readonly Case[] = [
  {
    what: 'flip_cross',
    set: [entry('flip_cross', { confirm: 3 })],
    changed: { spot: 5990 },
    expected: [
      ['flip_cross', '09:37', { direction: 'below', level: { kind: 'flip', value: 6000 } }],
    ],
  },
  {
    what: 'wall_break',
    set: [entry('wall_break')],
    changed: { spot: 6051 },
    expected: [['wall_break', '09:36', { direction: 'above', level: { kind: 'call_wall' } }]],
  },
  {
    what: 'regime_change',
    set: [entry('regime_change')],
    changed: { net_gamma: -20 },
    expected: [['regime_change', '09:36', { level: { value: -20, from: 40 } }]],
  },
  {
    what: 'wall_move',
    set: [entry('wall_move')],
    changed: { put_wall: 5940 },
    expected: [['wall_move', '09:39', { level: { kind: 'put_wall', value: 5940, from: 5950 } }]],
  },
  {
    what: 'flip_move',
    set: [entry('flip_move')],
    changed: { flip: 5985 },
    expected: [['flip_move', '09:37', { level: { value: 5985, from: 6000 }, direction: 'down' }]],
  },
  {
    what: 'level_near',
    set: [entry('level_near', { levels: ['call_wall'] })],
    changed: { spot: 6046 },
    expected: [['level_near', '09:35', { level: { kind: 'call_wall' }, threshold_points: 5 }]],
  },
  {
    what: 'price_alert',
    set: [line({ kind: 'price', price: 6010 })],
    changed: { spot: 6010 },
    expected: [['price_alert', '09:35', { direction: 'above', alert: { price: 6010 } }]],
  },
  {
    what: 'level_line',
    set: [line({ kind: 'level', level: 'put_wall', offset: 10 })],
    changed: { spot: 5959.75 },
    expected: [['level_line', '09:35', { direction: 'below', alert: { price: 5960, offset: 10 } }]],
  },
  {
    what: 'order: it is known at the first state after it became visible',
    set: [rule({ min_premium: 2 })],
    orders: [
      { order_id: 'o1', visible: '09:34:00', gross_premium_usd: 3e6 },
      { order_id: 'o2', visible: '09:35:59.999999', gross_premium_usd: 3e6 },
      { order_id: 'o3', visible: '09:36:00', gross_premium_usd: 1e6 },
    ],
    expected: [
      ['order', '09:35', { order: { oid: 'o1' } }],
      ['order', '09:36', { order: { oid: 'o2' } }],
    ],
  },
  {
    what: 'opening_read and label_changed',
    set: [],
    before: { spot: 6020 },
    changed: { spot: 6010 },
    position: { entry: '09:43' },
    expected: [
      ['opening_read', '09:33', { label: 'TRADE', position_id: 'p_one' }],
      ['label_changed', '09:35', { from: 'TRADE', label: 'SKIP' }],
    ],
  },
  {
    what: 'of 7 orders of a minute the 5 largest, the last with more',
    set: [rule({})],
    orders: [1, 7, 3, 5, 2, 6, 4].map(million => ({
      order_id: `o${million}`,
      visible: '09:34:30',
      gross_premium_usd: million * 1e6,
    })),
    expected: [7, 6, 5, 4, 3].map(million => [
      'order',
      '09:35',
      { order: { oid: `o${million}`, premium: million }, ...(million === 3 ? { more: 2 } : {}) },
    ]),
  },
]

const minuteBefore = (minute: string) => `09:${Number(minute.slice(3)) - 1}`

test.each(CASES)('$what is sent at its minute and not one before', async given => {
  const { set, before = {}, changed = {}, orders = [], position, expected } = given
  await path.set(...SILENT, ...set)
  if (position) await path.keepPosition(position)
  const states = listStates(before, changed)
  const session = { day: DAY, states, orders, others: judgedBy({ day: DAY, states }) }
  const minutes = new Set(expected.map(([, minute]) => minute))
  // the minute before each, itself, and all that comes
  const stops = [...minutes].flatMap(minute => [minuteBefore(minute), minute])
  for (const until of new Set([...stops, UNTIL])) {
    await path.runUntil(session, until)
    const reported = expected.filter(([, minute]) => minute <= until)
    const received = await path.received()
    expect(received.map(one => [one.type, one.minute])).toEqual(
      reported.map(one => one.slice(0, 2)),
    )
    expect(received).toMatchObject(reported.map(([, , one]) => one))
    expect(received.filter(one => 'more' in one)).toHaveLength(
      reported.filter(([, , one]) => 'more' in one).length,
    )
  }
  expect(path.text).toEqual([])
})

test('a gap at the open: a line at a price is sent at 09:31, one at a level is not', async () => {
  const price = { kind: 'price', price: 6000 }
  const level = { kind: 'level', level: 'flip', offset: -2 }
  await path.set(...SILENT, entry('flip_cross', { confirm: 1 }))
  await path.set(line({ ...price, mode: 'once', note: 'once' }))
  await path.set(line({ ...price, mode: 'repeat' }), line({ ...level, mode: 'repeat' }))
  // the last price before the night is above 6,000
  await path.maker.finish({ day: '2026-11-24', states: quietStates('2026-11-24') })
  path.clock.atMs = Date.parse('2026-11-25T01:00:00Z')
  await path.tick()
  expect(await path.events()).toEqual([])
  const spots = [5980, 5999, 5990, 6005, 6001, 5999, 5998, 5997, 6000, 6000]
  const minutes = spots.map((spot, index) => [`09:${31 + index}`, { spot }])
  const states = quietStates(DAY, Object.fromEntries(minutes), { until: '09:40' })
  for (const minute of ['09:33', '09:36', '09:40'])
    await path.runUntil({ day: DAY, states }, minute)
  const reported = await path.received()
  const shown = reported.map(({ type, minute, alert }) => `${minute} ${type} ${alert?.mode ?? ''}`)
  expect(shown.map(one => one.trimEnd()).toSorted()).toEqual([
    '09:31 price_alert once',
    '09:31 price_alert repeat',
    '09:32 level_line repeat',
    '09:34 flip_cross',
    '09:34 level_line repeat',
    '09:34 price_alert repeat',
    // it is armed again 2 points off, at 09:37, and not before
    '09:36 price_alert repeat',
    '09:37 flip_cross',
    '09:37 level_line repeat',
    '09:39 price_alert repeat',
  ])
})

/** Price alternating on both sides of the flip, at the last minutes of a session alone. */
const lastStates = (day: string, from: string) => {
  const states = quietStates(day, {}, { from, until: '16:14' })
  const spots = Object.keys(states).map((minute, index) => [
    minute,
    { spot: index % 2 === 0 ? 5990 : 6010 },
  ])
  return quietStates(day, Object.fromEntries(spots), { from, until: '16:14' })
}

test.each([
  ['an ordinary day', DAY, '15:56', '15:59', '16:00', '-05:00'],
  ['a half day', '2026-11-27', '12:56', '12:59', '13:00', '-05:00'],
  ['the week winter time began', '2026-11-02', '15:56', '15:59', '16:00', '-05:00'],
  ['the week summer time began', '2026-03-09', '15:56', '15:59', '16:00', '-04:00'],
])('%s, %s: from %s levels are sent to %s, prices to %s, at %s', async (...given) => {
  const [, day, from, lastLevel, lastPrice, offset] = given
  await path.set(...SILENT, entry('flip_cross', { confirm: 1 }), rule({}))
  await path.set(line({ kind: 'price', price: 6000, mode: 'repeat' }))
  const orders = [
    { order_id: 'first', visible: '09:30:59' },
    { order_id: 'last', visible: `${lastPrice.slice(0, 2)}:15:30` },
  ]
  await path.maker.finish({ day, states: lastStates(day, from), orders })
  path.clock.atMs = instantMs(day, lastPrice) + 30 * 60_000
  await path.tick()
  const reported = await path.events()
  const listMinutes = (type: string) =>
    reported.filter(one => one.type === type).map(one => one.minute)
  const after = (minute: string, count: number) => minutesAfter(minute, count)
  expect(listMinutes('flip_cross')).toEqual([after(from, 1), after(from, 2), lastLevel])
  expect(listMinutes('price_alert')).toEqual([after(from, 1), after(from, 2), lastLevel, lastPrice])
  expect(listMinutes('order')).toEqual(['09:31', `${lastPrice.slice(0, 2)}:16`])
  const clock = `${lastPrice.slice(0, 2)}:30:00`
  expect(new Set(reported.map(one => one.body.ts))).toEqual(new Set([`${day}T${clock}${offset}`]))
})

test('a day on which nothing goes beyond its margin: no event at all', async () => {
  const types = ['flip_cross', 'wall_break', 'regime_change', 'wall_move', 'flip_move']
  await path.set(...types.map(type => entry(type)), entry('level_near'))
  await path.set(line({ kind: 'price', price: 6040, mode: 'repeat' }), rule({ min_premium: 5 }))
  await path.set(line({ kind: 'level', level: 'put_wall', offset: 20, mode: 'repeat' }))
  const random = randomNumbers(11)
  const around = (middle: number, away: number) =>
    middle + Math.round(8 * away * (random() - 0.5)) / 4
  const minutes = Object.keys(quietStates(DAY)).map((minute, index) => {
    const state: MadeState = {
      spot: around(6022, 6),
      flip: around(6004, 4),
      threshold: [5990, 6018],
      // a wall that is elsewhere for four minutes, and gamma that changes its sign near zero
      call_wall: index % 9 < 5 ? 6050 : 6060,
      net_gamma: index % 7 === 3 ? -1.5 : 40,
    }
    return [minute, state] as const
  })
  const orders = [{ order_id: 'small', visible: '11:00:30', gross_premium_usd: 4.9e6 }]
  await path.maker.finish({ day: DAY, states: Object.fromEntries(minutes), orders })
  path.clock.atMs = instantMs(DAY, '16:30')
  expect(await path.tick()).toBe(408)
  expect(await path.events()).toEqual([])
  expect(path.receiver.connections()).toBe(0)
})

test('put_support goes out before 2026-12-01T05:00Z, not after, alike in all attempts', async () => {
  await path.close()
  let refusals = 0
  path = await openWholePath((socket, call, at) =>
    saying(refusals-- > 0 ? 503 : 204)(socket, call, at),
  )
  await path.set(...SILENT, line({ kind: 'price', price: 6010 }))
  const monday = { day: '2026-11-30', states: listStates({}, { spot: 6010 }, '2026-11-30') }
  await path.runUntil(monday, '09:36')
  const [event] = await path.events()
  const again = async (at: string, refused: number) => {
    path.clock.atMs = Date.parse(at)
    refusals = refused
    const requested = { accountId: path.accountId, eventId: event!.id, atMs: path.clock.atMs }
    expect(await path.accounts.outbox.redeliver(requested)).toBe(1)
    // the first try has ended before the clock goes on
    await path.ended()
    path.clock.atMs += 10_000
    await path.settled()
  }
  await again('2026-12-01T04:59:55Z', 1)
  await again('2026-12-01T05:00:00Z', 0)
  expect(path.hadPutSupport()).toEqual([true, true, true, false])
  await path.set(line({ kind: 'price', price: 6000 }))
  const tuesday = { day: '2026-12-01', states: listStates({}, { spot: 5990 }, '2026-12-01') }
  await path.runUntil(tuesday, '09:36')
  expect(path.hadPutSupport()).toEqual([true, true, true, false, false])
  const bodies = await path.received()
  expect(new Set(bodies.map(one => one.id)).size).toBe(2)
})
