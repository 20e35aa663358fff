import { expect, test } from 'vitest'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import { toCheck } from '../../src/positions/checkWire.ts'
import type { Marks, NearOrder } from '../../src/positions/judged.ts'
import type { LevelDistances } from '../../src/positions/levels.ts'
import { complete } from '../support/position.ts'

const position = complete({ kind: 'put_spread', legs: { lp: 5930, sp: 5950 }, entry: '10:30' })
const at = { day: '2026-10-14', minute: '13:00' }

const marks = (changes: Partial<Marks> = {}): Marks => ({
  case_id: 0,
  smile_reason: null,
  put_points: 50.25000000000012,
  call_points: null,
  put_moves: 2,
  call_moves: null,
  conditions: CONDITIONS.map(({ id }) => ({ id, value: -0, reason: null })),
  ...changes,
})

const order = (changes: Partial<NearOrder>): NearOrder => ({
  case_id: 0,
  leg: 'sp',
  order_id: 'o',
  minute_et: '12:48',
  structure: 'vertical',
  distance_points: -5,
  gross_premium_usd: 7_500_000,
  dealer_gamma_musd_per_point: -1e-9,
  gamma_null_reason: null,
  order_count: 12,
  ...changes,
})

/** Of the index and of the short put: a flip without a bar, and no call wall. */
const levels = (['index', 'sp'] as const).map(
  (leg, index): LevelDistances => ({
    case_id: 0,
    leg,
    flip_points: -0 + index,
    flip_points_lo: null,
    flip_points_hi: null,
    call_wall_points: null,
    put_wall_points: -24.750000000000114,
    flip_reason: null,
    bar_reason: 'no_bar',
    call_wall_reason: 'no_calls',
    put_wall_reason: null,
    point_error: null,
  }),
)

test('a session without contracts of its own has an error instead of a label', () => {
  const check = toCheck(
    position,
    { marks: marks({ smile_reason: 'no_session_expiry' }), nearOrders: [], levels },
    at,
  )
  expect(check).toMatchObject({
    label: null,
    nearest_change: null,
    error: 'the session of 2026-10-14 has no PM contracts that expire on its own day.',
  })
})

test('values are rounded to ten digits, and minus zero is zero', () => {
  const check = toCheck(position, { marks: marks(), nearOrders: [], levels }, at)
  const flip = { points_lo: null, points_hi: null, reason: null, bar_reason: 'no_bar' }
  const walls = {
    call_wall: { points: null, reason: 'no_calls' },
    put_wall: { points: -24.75, reason: null },
  }
  expect(check.levels).toEqual({ flip: { points: 0, ...flip }, ...walls })
  expect(check.shorts).toEqual([
    {
      leg: 'sp',
      points: 50.25,
      expected_moves: 2,
      order_count: 0,
      orders: [],
      levels: { flip: { points: 1, ...flip }, ...walls },
    },
  ])
  expect(Object.is(check.conditions[0]!.value, 0)).toBe(true)
})

test('orders near a short strike say what they did to gamma, and how many there are', () => {
  const gammas = [-1e-9, 2, 0, null]
  const nearOrders = [
    ...gammas.map(gamma => order({ dealer_gamma_musd_per_point: gamma })),
    order({ leg: 'sc' }),
  ]
  const [short] = toCheck(position, { marks: marks(), nearOrders, levels }, at).shorts
  expect(short).toMatchObject({ order_count: 12 })
  expect(short!.orders.map(({ gamma }) => gamma)).toEqual(['removed', 'added', 'none', null])
  expect(short!.orders[0]).toMatchObject({ points: -5, premium: 7.5, t: '12:48' })
})
