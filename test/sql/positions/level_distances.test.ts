import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { putCases } from '../../../src/data/published/positionTables.ts'
import { EARLIER_MINUTE, KNOWN_MINUTE, openMarket } from '../../support/positionMarket.ts'

/** The index 6000.25, the flip 6005.44 (5994.83 to 6016.61), the walls 6050 and 5975. */
const NAMES = ['flip_points', 'flip_points_lo', 'flip_points_hi'] as const
const REASONS = ['flip_reason', 'bar_reason', 'call_wall_reason', 'put_wall_reason'] as const

/** How far the levels of 13:00 are from a point, by its name; the index and two short strikes. */
async function distancesWhen(changes: object, legs: { sp?: number; sc?: number } = SHORTS) {
  const db = await openMarket([EARLIER_MINUTE, { ...KNOWN_MINUTE, ...changes }])
  await putCases(db, [
    {
      session_date: '2026-10-14',
      minute_et: '13:00',
      base_spot: null,
      short_put: legs.sp ?? null,
      short_call: legs.sc ?? null,
    },
  ])
  const rows = await db.query('positions/level_distances')
  db.close()
  return new Map(rows.map(row => [row.leg, row]))
}
const SHORTS = { sp: 5960, sc: 6060 }

const listPoints = (row: Row) =>
  [...NAMES, 'call_wall_points', 'put_wall_points'].map(name =>
    row[name] === null ? null : Number(Number(row[name]).toFixed(9)),
  )
const listReasons = (row: Row) => REASONS.map(name => row[name])

test('a distance is the level less the index, the short put and the short call', async () => {
  const found = await distancesWhen({})
  expect(Object.fromEntries([...found].map(([leg, row]) => [leg, listPoints(row)]))).toEqual({
    index: [5.19, -5.42, 16.36, 49.75, -25.25],
    sp: [45.44, 34.83, 56.61, 90, 15],
    sc: [-54.56, -65.17, -43.39, -10, -85],
  })
  for (const row of found.values()) expect(listReasons(row)).toEqual([null, null, null, null])
})

test('an index by parity has its error, a strike has none', async () => {
  const errors = async (changes: object) =>
    Object.fromEntries(
      [...(await distancesWhen(changes))].map(([leg, row]) => [leg, row.point_error]),
    )
  expect(await errors({ spot_source: 'parity', spot_error: 0.3125 })).toEqual({
    index: 0.3125,
    sp: null,
    sc: null,
  })
  expect(await errors({ spot_source: 'index' })).toEqual({ index: null, sp: null, sc: null })
})

test('a position has the distances of the short strikes it has', async () => {
  expect([...(await distancesWhen({}, { sc: 6060 })).keys()].sort()).toEqual(['index', 'sc'])
  expect([...(await distancesWhen({}, {})).keys()]).toEqual(['index'])
})

const NO_FLIP = { flip: null, flip_lo: null, flip_hi: null }
const NO_LEVELS = { ...NO_FLIP, net_gamma_musd_per_point: null, call_wall: null, put_wall: null }

test('without a flip the walls are given, and the reason is that of the flip alone', async () => {
  const found = await distancesWhen({ ...NO_FLIP, level_reason: 'no_root' })
  const index = found.get('index')!
  expect(listPoints(index)).toEqual([null, null, null, 49.75, -25.25])
  expect(listReasons(index)).toEqual(['no_root', 'no_root', null, null])
  expect(listPoints(found.get('sp')!)).toEqual([null, null, null, 90, 15])
})

test('a wall that is missing has a reason of its own, whatever else is missing', async () => {
  const when = async (changes: object) => {
    const index = (await distancesWhen(changes)).get('index')!
    return listReasons(index)
  }
  expect(await when({ call_wall: null, level_reason: 'no_calls' })).toEqual([
    null,
    null,
    'no_calls',
    null,
  ])
  expect(await when({ put_wall: null, level_reason: 'no_puts' })).toEqual([
    null,
    null,
    null,
    'no_puts',
  ])
  const neither = { ...NO_FLIP, call_wall: null, put_wall: null, level_reason: 'no_root' }
  expect(await when(neither)).toEqual(['no_root', 'no_root', 'no_calls', 'no_puts'])
})

test('with unknown positions of dealers only the walls that are known have a distance', async () => {
  const unknown = { ...NO_FLIP, net_gamma_musd_per_point: null, level_reason: 'inventory_unknown' }
  const index = (await distancesWhen(unknown)).get('index')!
  expect(listPoints(index)).toEqual([null, null, null, 49.75, -25.25])
  expect(listReasons(index)).toEqual(['inventory_unknown', 'inventory_unknown', null, null])
})

test('where no flip was found but one is not ruled out, the ends of the stretch are given', async () => {
  const index = (await distancesWhen({ flip: null, level_reason: 'no_root' })).get('index')!
  expect(listPoints(index)).toEqual([null, -5.42, 16.36, 49.75, -25.25])
  expect(listReasons(index)).toEqual(['no_root', null, null, null])
})

test.each(['inventory_unknown', 'empty_book', 'no_forward', 'no_spot', null])(
  'a minute without levels says why of all: %s',
  async reason => {
    const found = await distancesWhen({ ...NO_LEVELS, level_reason: reason })
    expect([...found.keys()].sort()).toEqual(['index', 'sc', 'sp'])
    const text = reason ?? 'no_level'
    for (const row of found.values()) {
      expect(listPoints(row)).toEqual([null, null, null, null, null])
      expect(listReasons(row)).toEqual([text, text, text, text])
    }
  },
)

test('without an index there is no distance from it; strikes keep theirs', async () => {
  const found = await distancesWhen({ spot: null })
  expect(listReasons(found.get('index')!)).toEqual(['no_spot', 'no_spot', 'no_spot', 'no_spot'])
  expect(listPoints(found.get('sp')!)).toEqual([45.44, 34.83, 56.61, 90, 15])
})

test('a flip whose interval was not published is given without it', async () => {
  const index = (await distancesWhen({ flip_lo: null, flip_hi: null })).get('index')!
  expect(listPoints(index)).toEqual([5.19, null, null, 49.75, -25.25])
  expect(listReasons(index)).toEqual([null, 'no_bar', null, null])
})
