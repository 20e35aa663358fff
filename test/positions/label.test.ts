import { expect, test } from 'vitest'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import {
  chooseLabel,
  countStates,
  isUnknown,
  nearestChange,
  toReadings,
} from '../../src/positions/label.ts'
import { complete } from '../support/position.ts'
import { readVectors } from '../support/shared.ts'

const LIMITS = { caution: 3, skip: 5 }

/** A condor with given values; conditions without one do not count. */
function readings(values: Readonly<Record<string, number | null>>) {
  const position = complete({
    kind: 'condor',
    legs: { lp: 5930, sp: 5950, sc: 6050, lc: 6070 },
    entry: '10:30',
    conditions: CONDITIONS.map(({ id }) => ({ id, on: id in values })),
    label: { caution: 1, skip: 1 },
  })
  return toReadings(
    position,
    CONDITIONS.map(({ id }) => {
      const value = values[id] ?? null
      return { id, value, reason: value === null ? 'no_spot' : null }
    }),
  )
}

test('states, counts and labels are those of the reference vectors', () => {
  for (const { position, conditions, on, unknown, label, label_counts } of readVectors(
    'position_conditions',
  ).results) {
    const known = complete({ kind: position.kind, legs: position.legs, entry: '10:30' })
    const read = toReadings(
      {
        ...known,
        conditions: conditions.map(({ id, threshold }: { id: string; threshold: number }) => {
          return { id, on: true, threshold }
        }),
      },
      conditions.map((one: object) => ({ ...one, reason: null })),
    )
    expect(read.map(({ state }) => state)).toEqual(
      conditions.map(({ state }: { state: string }) => state),
    )
    expect(countStates(read)).toMatchObject({ on, unknown })
    expect(chooseLabel(on, label_counts)).toBe(label)
  }
})

test('at the threshold itself only >= and <=- are on', () => {
  const readState = (id: string, value: number) => readings({ [id]: value })[0]!.state
  expect(
    ['short_dist_em', 'short_delta', 'move_used', 'time_left'].map(id =>
      readState(id, CONDITIONS.find(row => row.id === id)!.default),
    ),
  ).toEqual(['off', 'off', 'on', 'off'])
  expect([readState('gamma_negative', 0), readState('gamma_negative', -1e-9)]).toEqual([
    'off',
    'on',
  ])
  expect([readState('flow_removes_gamma', -50), readState('flow_removes_gamma', -49)]).toEqual([
    'on',
    'off',
  ])
})

test.each([
  [2, 'TRADE'],
  [3, 'CAUTION'],
  [4, 'CAUTION'],
  [5, 'SKIP'],
] as const)('%i conditions on are %s', (on, label) => expect(chooseLabel(on, LIMITS)).toBe(label))

test('where both limits are the same number, reaching it is SKIP', () => {
  expect(chooseLabel(2, { caution: 2, skip: 2 })).toBe('SKIP')
  expect(chooseLabel(1, { caution: 2, skip: 2 })).toBe('TRADE')
})

test('exactly half unknown still has a label, one more has not', () => {
  expect(isUnknown({ on: 1, off: 1, unknown: 2 })).toBe(false)
  expect(isUnknown({ on: 1, off: 1, unknown: 3 })).toBe(true)
})

test('the nearest change is the smallest margin over its threshold', () => {
  const read = readings({ short_dist_pts: 18, gap: 0.3, move_used: 0.1 })
  expect(nearestChange(read, { caution: 1, skip: 2 })).toMatchObject({
    label: 'CAUTION',
    relative: 0.2, // 3 of 15 points; the gap would need half of its threshold
    readings: [{ row: { id: 'short_dist_pts' }, margin: 3 }],
  })
})

test('at a threshold of zero a margin is the whole value, or nothing', () => {
  const read = readings({ gamma_negative: -66, gap: 0.05 })
  expect(nearestChange(read, { caution: 1, skip: 2 })).toMatchObject({ label: 'SKIP' })
  expect(nearestChange(read, { caution: 1, skip: 2 })!.relative).toBeCloseTo(0.55 / 0.6, 12)
  const at = readings({ under_flip: 0, gap: 0.59 })
  expect(nearestChange(at, { caution: 1, skip: 2 })).toMatchObject({ label: 'TRADE', relative: 0 })
})

test('sides are whole: at the threshold one of them has to change', () => {
  const margins = [0, 1, 2].map(sides => readings({ wall_missing: sides })[0]!.margin)
  expect(margins).toEqual([1, 1, 2])
  const read = readings({ wall_missing: 1, short_dist_pts: 12 })
  expect(nearestChange(read, { caution: 1, skip: 2 })).toMatchObject({
    label: 'CAUTION',
    readings: [{ row: { id: 'short_dist_pts' }, margin: 3 }],
  })
})

test('a label that one switch does not change names as many as it takes', () => {
  const read = readings({ short_dist_pts: 18, gap: 0.3, move_used: 0.1 })
  const change = nearestChange(read, { caution: 2, skip: 3 })!
  expect(change.label).toBe('CAUTION')
  expect(change.relative).toBe(0.5)
  expect(change.readings.map(({ row }) => row.id)).toEqual(['short_dist_pts', 'gap'])
})

test('a label may fall as well as rise, and the nearer of both is reported', () => {
  const up = readings({ short_dist_pts: 5, gap: 0.59 })
  expect(nearestChange(up, { caution: 1, skip: 2 })).toMatchObject({ label: 'SKIP' })
  const down = readings({ short_dist_pts: 14.9, gap: 0.1 })
  expect(nearestChange(down, { caution: 1, skip: 2 })).toMatchObject({
    label: 'TRADE',
    readings: [{ row: { id: 'short_dist_pts' } }],
  })
})

test('no switch of what is known gives another label: null', () => {
  expect(nearestChange(readings({ gap: 0.1, move_used: null }), { caution: 2, skip: 2 })).toBeNull()
})
