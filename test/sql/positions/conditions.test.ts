import { expect, test } from 'vitest'
import {
  conditionsAt,
  EARLIER_MINUTE,
  KNOWN_MINUTE,
  KNOWN_ORDER,
  openMarket,
} from '../../support/positionMarket.ts'

const SHORTS = { sp: 5960, sc: 6060 }
const NO_BOOK = { net_gamma_musd_per_point: null, flip: null, call_wall: null, put_wall: null }

/** Conditions of a strangle at 13:00 when the minute is otherwise. */
async function valuesWhen(changes: object, earlier: object = EARLIER_MINUTE) {
  const db = await openMarket([earlier, { ...KNOWN_MINUTE, ...changes }])
  const { values } = await conditionsAt(db, SHORTS)
  db.close()
  return values
}

test('what nobody knows is unknown with its reason, never off and never zero', async () => {
  expect(await valuesWhen({ spot: null })).toMatchObject({
    short_dist_em: 'no_spot',
    short_dist_pts: 'no_spot',
    short_delta: 'no_spot',
    move_used: 'no_spot',
    move_15m: 'no_spot',
    time_left: 180,
  })
  const noSmile = { forward: null, expected_move_points: null, smile_reason: 'no_forward' }
  expect(
    await valuesWhen({ ...noSmile, smile_strikes: [], smile_total_variances: [] }),
  ).toMatchObject({
    short_dist_em: 'no_forward',
    short_delta: 'no_forward',
    vol_up: 'no_forward',
    skew: 'no_forward',
    short_dist_pts: 40.25,
    move_used: 12.25 / 38,
  })
  expect(await valuesWhen({ session_expected_move_points: null })).toMatchObject({
    move_used: 'no_session_expected_move',
    move_15m: 'no_session_expected_move',
    vol_up: 'no_session_expected_move',
    short_dist_em: 40.25 / 24.4,
  })
  const noFlip = { flip: null, level_reason: 'no_root' }
  expect(await valuesWhen(noFlip)).toMatchObject({ flip_near: 'no_root', under_flip: 'no_root' })
  // the dataset has no net gamma then, though the book has one
  const unknown = { ...NO_BOOK, level_reason: 'inventory_unknown' }
  expect(await valuesWhen(unknown)).toMatchObject({
    gamma_negative: 'inventory_unknown',
    flip_near: 'inventory_unknown',
    under_flip: 'inventory_unknown',
    wall_missing: 'inventory_unknown',
    short_dist_pts: 40.25,
  })
  // most of the book is measured: the walls are known
  expect(await valuesWhen({ ...unknown, call_wall: 6050, put_wall: 5975 })).toMatchObject({
    under_flip: 'inventory_unknown',
    wall_missing: 0,
  })
  const noWall = { put_wall: null, level_reason: 'no_puts' }
  expect(await valuesWhen(noWall)).toMatchObject({
    wall_missing: 'no_puts',
    gamma_negative: -30.16,
  })
  const noClose = { previous_close: null, previous_close_reason: 'no_previous_session' }
  expect(await valuesWhen(noClose)).toMatchObject({ gap: 'no_previous_session' })
  expect(await valuesWhen({ open: null })).toMatchObject({ gap: 'no_open', move_used: 'no_open' })
  expect(await valuesWhen({}, { ...EARLIER_MINUTE, spot: null })).toMatchObject({
    move_15m: 'no_spot',
  })
})

test('the move of 15 minutes begins at 09:31, not before', async () => {
  const at = async (elapsed: number) => {
    const values = await valuesWhen({ session_seconds: KNOWN_MINUTE.seconds_left + elapsed })
    return values.move_15m
  }
  expect(await at(899)).toBe('too_early')
  expect(await at(900)).toBe(7.5 / 38)
})

test('an index beyond a short strike is below zero away from it, not far from it', async () => {
  const db = await openMarket([KNOWN_MINUTE])
  const { values, row } = await conditionsAt(db, { sp: 6030, sc: 6060 })
  expect(values).toMatchObject({ short_dist_pts: -29.75, short_dist_em: -29.75 / 24.4 })
  expect(row).toMatchObject({ put_points: -29.75, call_points: 59.75 })
  expect(Number(values.short_delta)).toBeGreaterThan(0.5)
  db.close()
})

test('a strike that no quote reaches has no delta; one at the last quote has', async () => {
  const db = await openMarket([KNOWN_MINUTE])
  const delta = async (legs: object) => (await conditionsAt(db, legs)).values.short_delta
  expect(await delta({ sp: 4995, sc: 6060 })).toBe('strike_not_quoted')
  expect(await delta({ sp: 5960, sc: 7005 })).toBe('strike_not_quoted')
  expect(await delta({ sp: 5000 })).toBeCloseTo(0, 9)
  expect(await delta({ sc: 7000 })).toBeCloseTo(0, 9)
  db.close()
})

test('a wall guards the side it stands on, its bounds included', async () => {
  const db = await openMarket([KNOWN_MINUTE])
  const missing = async (legs: object) => (await conditionsAt(db, legs)).values.wall_missing
  expect(await missing({ sp: 5975, sc: 6050 })).toBe(0)
  expect(await missing({ sp: 5980, sc: 6050 })).toBe(1)
  expect(await missing({ sp: 5980, sc: 6045 })).toBe(2)
  expect(await missing({ sp: 5980 })).toBe(1)
  db.close()
})

test('large orders count within 10 points and their time, once they are known', async () => {
  const near = async (order: object, id = 'order_near_short') => {
    const db = await openMarket([KNOWN_MINUTE], [{ ...KNOWN_ORDER, ...order }])
    const { values } = await conditionsAt(db, SHORTS)
    db.close()
    return values[id]
  }
  expect(await near({ strikes: [5970] })).toBe(7.5)
  expect(await near({ strikes: [5970.5] })).toBe(0)
  expect(await near({ strikes: [5000, 6050] })).toBe(7.5)
  expect(await near({ dealer_gamma_musd_per_point: 22 })).toBe(0)
  expect(await near({ dealer_gamma_musd_per_point: null })).toBe('no_gamma')
  expect(await near({ printed_at: '2026-10-14 16:30:00' })).toBe(7.5)
  expect(await near({ printed_at: '2026-10-14 16:29:59' })).toBe(0)
  expect(await near({ visible_at: '2026-10-14 16:59:59.999999' })).toBe(7.5)
  expect(await near({ visible_at: '2026-10-14 17:00:00' })).toBe(0)
  // known otherwise since: it counts until the minute that knows better
  expect(await near({ superseded_at: '2026-10-14 16:59:59' })).toBe(0)
  expect(await near({ superseded_at: '2026-10-14 17:00:00' })).toBe(7.5)

  const flow = (order: object) => near(order, 'flow_removes_gamma')
  expect(await flow({ strikes: [] })).toBe(-22)
  expect(await flow({ printed_at: '2026-10-14 16:00:00' })).toBe(-22)
  expect(await flow({ printed_at: '2026-10-14 15:59:59' })).toBe(0)
  expect(await flow({ visible_at: '2026-10-14 17:00:00' })).toBe(0)
  expect(await flow({ dealer_gamma_musd_per_point: null })).toBe('no_gamma')
})

test('strikes of another session keep their distance in steps of 5, a half going up', async () => {
  const db = await openMarket([KNOWN_MINUTE])
  const points = async (base: number) =>
    (await conditionsAt(db, { sp: 5950 }, { base_spot: base })).row.put_points
  expect(await points(6000.25)).toBe(50.25)
  expect(await points(5997.75)).toBe(45.25) // 2.5 up is a whole step
  expect(await points(5997.76)).toBe(50.25)
  expect(await points(6100)).toBe(150.25)
  // moved below zero: no such strike, and no error either
  const { values } = await conditionsAt(db, { sp: 5, sc: 6100 }, { base_spot: 6100 })
  expect(values).toMatchObject({ short_delta: 'strike_not_quoted' })
  db.close()
})
