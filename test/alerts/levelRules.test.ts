// Times of each type of event: at its minute and not a step before.

import { expect, test } from 'vitest'
import { findEntry, reported, type Some, same, spots, times } from '../support/alertRules.ts'

// the bar is 16 points wide: the margin is a quarter of 8, which is 2
test.each<[string, Some[], string[]]>([
  ['two states 2 beyond', spots(6020, 5998, 5998), ['09:33 flip 6000 below']],
  ['one state beyond', spots(6020, 5998, 6020, 5998, 5998.01, 5998), []],
  ['less than 2 beyond all day', spots(6001, ...same(380, 5998.01)), []],
  [
    'there and back',
    spots(6020, 5990, 5990, 6001, 6002, 6002),
    ['09:33 flip 6000 below', '09:36 flip 6000 above'],
  ],
  ['the first minute sets the side', spots(5990, 5990, 5990), []],
  ['on the flip is above', spots(6000, 5998, 5997), ['09:33 flip 6000 below']],
])('flip_cross: %s', (_, some, events) => {
  expect(reported(findEntry('flip_cross'), some)).toEqual(events)
})

const confidenceInterval = (half: number, spot: number): Some => ({
  spot,
  flipLo: 6000 - half,
  flipHi: 6000 + half,
})

test.each<[string, object, (spot: number) => Some, number, number]>([
  ['a quarter of the half width', {}, spot => confidenceInterval(12, spot), 5997, 5997.01],
  ['1 at least', {}, spot => confidenceInterval(0.5, spot), 5999, 5999.01],
  ['5 at most', {}, spot => confidenceInterval(200, spot), 5995, 5995.01],
  ['5 without a bar', {}, spot => ({ spot, flipLo: null, flipHi: null }), 5995, 5995.01],
  ['7 as asked', { margin_points: 7 }, spot => confidenceInterval(12, spot), 5993, 5993.01],
  [
    'beyond the bar as asked',
    { certain: true },
    spot => confidenceInterval(12, spot),
    5987.99,
    5988,
  ],
])('flip_cross: the margin is %s', (_, params, at, far, near) => {
  const entry = findEntry('flip_cross', params)
  expect(reported(entry, [at(6020), at(near), at(near), at(near)])).toEqual([])
  expect(reported(entry, [at(6020), at(far), at(far)])).toEqual(['09:33 flip 6000 below'])
})

test('flip_cross: a margin of 0 fires on the level from below, and not on it from above', () => {
  const entry = findEntry('flip_cross', { margin_points: 0, confirm: 1 })
  expect(reported(entry, spots(5999, 6000, 6000))).toEqual(['09:32 flip 6000 above'])
  expect(reported(entry, spots(6001, 6000, 5999.75))).toEqual(['09:33 flip 6000 below'])
})

test('flip_cross: certain is never certain without a bar, or of a root outside of it', () => {
  const entry = findEntry('flip_cross', { certain: true })
  const open = { spot: 5980, flipLo: null, flipHi: null }
  expect(reported(entry, [{}, open, open, open])).toEqual([])
  const other = { spot: 5980, flipLo: 6002, flipHi: 6004 }
  expect(reported(entry, [{}, other, other, other])).toEqual([])
})

test('flip_cross: a flip that jumps over the price is no cross', () => {
  const jumped = { spot: 6020, flip: 6031, roots: [6031] }
  expect(reported(findEntry('flip_cross'), [{}, ...times(9, jumped)])).toEqual([])
  // and it is the new root that is followed from then on
  const crossed = { ...jumped, spot: 6040 }
  expect(reported(findEntry('flip_cross'), [{}, jumped, jumped, crossed, crossed])).toEqual([
    '09:35 flip 6031 above',
  ])
})

test('flip_cross: a root that walks up to 10 points a minute stays the same', () => {
  const at = (flip: number): Some => ({ spot: 6020, flip, roots: [flip] })
  expect(reported(findEntry('flip_cross'), [at(6002), at(6012), at(6022), at(6024)])).toEqual([
    '09:34 flip 6024 below',
  ])
  expect(reported(findEntry('flip_cross'), [at(6002), at(6012), at(6022.25), at(6024)])).toEqual([])
})

test('flip_cross: another root takes over silently once it is over twice as near', () => {
  const two = (spot: number, flip: number): Some => ({ spot, flip, roots: [6000, 6030] })
  const entry = findEntry('flip_cross')
  // at 6020 the other is exactly twice as near, and 6000 is still followed
  const from = { spot: 5990, flip: 6000 }
  expect(reported(entry, [two(5990, 6000), two(6020, 6030), two(6020, 6030)])).toEqual([
    '09:33 flip 6000 above',
  ])
  expect(reported(entry, [from, two(6021, 6030), two(6021, 6030), two(6021, 6030)])).toEqual([])
})

test.each<[string, Some[], string[]]>([
  ['two states 1 over', spots(6040, 6051, 6051), ['09:33 call_wall 6050 above']],
  ['less than 1 over', spots(6040, 6050.99, 6050.99, 6050.99), []],
  ['under the put wall', spots(6040, 5949, 5949), ['09:33 put_wall 5950 below']],
  [
    'once, until it was 1 inside',
    spots(6040, 6051, 6051, 6049.5, 6051, 6051),
    ['09:33 call_wall 6050 above'],
  ],
  [
    'again after it was 1 inside',
    spots(6040, 6051, 6051, 6049, 6051, 6051),
    ['09:33 call_wall 6050 above', '09:36 call_wall 6050 above'],
  ],
  ['a wall that comes to the price', [{}, ...times(9, { callWall: 6010 })], []],
  [
    'the wall changes in between',
    [{}, { spot: 6061 }, { spot: 6061, callWall: 6055 }, { spot: 6061 }, { spot: 6061 }],
    ['09:35 call_wall 6050 above'],
  ],
  [
    'a wall that was broken is gone and back',
    [
      {},
      { spot: 6051 },
      { spot: 6051 },
      { spot: 6051, callWall: 6100 },
      { spot: 6051 },
      { spot: 6051 },
    ],
    ['09:33 call_wall 6050 above'],
  ],
  [
    'two known walls that take turns, each for one state',
    [
      { spot: 6040 },
      { spot: 6040, callWall: 6055 },
      ...[6050, 6055, 6050, 6055].map(callWall => ({ spot: 6061, callWall })),
    ],
    [],
  ],
])('wall_break: %s', (_, some, events) => {
  expect(reported(findEntry('wall_break'), some)).toEqual(events)
})

const gammas = (...list: (number | null)[]): Some[] => list.map(netGamma => ({ netGamma }))

test.each<[string, Some[], string[]]>([
  ['two states of the other sign', gammas(100, 40, -60, -70), ['09:34 net_gamma -70 40 negative']],
  ['one state', gammas(100, -60, 60, -60), []],
  ['under 5 % of the largest', gammas(100, -4.99, -4.99, -4.99), []],
  ['5 % of the largest', gammas(100, -5, -5), ['09:33 net_gamma -5 100 negative']],
  [
    '5 % of the largest so far',
    gammas(100, -5, -5, 5, 5, 400, -19, -19),
    ['09:33 net_gamma -5 100 negative', '09:35 net_gamma 5 -5 positive'],
  ],
  ['zero has no sign', gammas(0, -60, -60, 0, 60, 60), ['09:36 net_gamma 60 -60 positive']],
])('regime_change: %s', (_, some, events) => {
  expect(reported(findEntry('regime_change'), some)).toEqual(events)
})

test('regime_change: the largest of the session counts for an entry that came later', () => {
  const entry = findEntry('regime_change')
  const some = gammas(1000, 20, 20, -30, -30, -50, -50)
  expect(reported(entry, some, '09:32')).toEqual(['09:37 net_gamma -50 20 negative'])
})

const walls = (...list: number[]): Some[] => list.map(putWall => ({ putWall }))

test.each<[string, Some[], string[]]>([
  ['five states', walls(5950, 5925, 5925, 5925, 5925, 5925), ['09:36 put_wall 5925 5950 down']],
  ['four states', walls(5950, 5925, 5925, 5925, 5925, 5950, 5925), []],
  [
    'it is the same wall for five states',
    walls(5950, 5925, 5925, 5900, 5900, 5900, 5900, 5900),
    ['09:38 put_wall 5900 5950 down'],
  ],
  ['less than 5 points', walls(5950, ...same(9, 5947)), []],
  [
    'away and back',
    walls(5950, 5925, 5925, 5925, 5925, 5925, 5950, 5950, 5950, 5950, 5950),
    ['09:36 put_wall 5925 5950 down', '09:41 put_wall 5950 5925 up'],
  ],
])('wall_move: %s', (_, some, events) => {
  expect(reported(findEntry('wall_move'), some)).toEqual(events)
})

const flips = (...list: number[]): Some[] => list.map(flip => ({ flip, roots: [flip] }))

test.each<[string, Some[], string[]]>([
  ['three states 10 away', flips(6000, 6010, 6011, 6012), ['09:34 flip 6012 6000 up']],
  ['two states', flips(6000, 6010, 6011, 6009, 6010, 6010), []],
  [
    'against what was told last',
    flips(6000, 5990, 5990, 5990, 6000, 6000, 6000, 5981),
    ['09:34 flip 5990 6000 down', '09:37 flip 6000 5990 up'],
  ],
])('flip_move: %s', (_, some, events) => {
  expect(reported(findEntry('flip_move'), some)).toEqual(events)
})

test.each<[string, Some[], string[]]>([
  ['5 points', spots(6020, 6045), ['09:32 call_wall 6050 below']],
  ['over 5 points', spots(6020, 6044.99), []],
  ['near at first', spots(6046, 6047, 6050), []],
  [
    'again only from 10 points',
    spots(6020, 6045, 6041, 6045, 6040, 6045),
    ['09:32 call_wall 6050 below', '09:36 call_wall 6050 below'],
  ],
  ['on the level is above', spots(6020, 6000), ['09:32 flip 6000 above']],
  ['a wall that comes to the price', [{}, ...times(5, { callWall: 6022 })], []],
  ['a flip that comes by over 10', [{}, ...times(5, { flip: 6016, roots: [6016] })], []],
  [
    'a flip that comes by 10',
    [{ spot: 6018 }, { spot: 6015, flip: 6010 }],
    ['09:32 flip 6010 above'],
  ],
])('level_near: %s', (_, some, events) => {
  expect(reported(findEntry('level_near'), some)).toEqual(events)
})

// as the datasets have a minute in which the dealers' positions are not known
const UNSURE: Some = { flip: null, roots: [], flipLo: null, flipHi: null, netGamma: null }

test.each([
  ['flip_cross', { spot: 6020 }, { spot: 5980 }],
  ['flip_move', { flip: 6000 }, { flip: 6040, roots: [6040] }],
  ['regime_change', { netGamma: 100 }, { netGamma: -100 }],
  ['level_near', { spot: 6020 }, { spot: 6001 }],
] as const)('%s: sends nothing when its level appears after unknown minutes', (type, from, to) => {
  const entry = findEntry(type, type === 'level_near' ? { levels: ['flip'] } : {})
  const after = times(9, to)
  expect(reported(entry, [...times(6, UNSURE), ...after])).toEqual([])
  expect(reported(entry, [from, from, ...times(6, UNSURE), ...after])).toEqual([])
  // while it is unknown, whatever the price does
  expect(reported(entry, [from, ...times(99, { ...UNSURE, spot: 5980 })])).toEqual([])
  // and a short gap does not hide a change
  expect(reported(entry, [from, from, ...times(5, UNSURE), ...after])).toHaveLength(1)
})
