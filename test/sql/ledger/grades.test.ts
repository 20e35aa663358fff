// Grades of walls and probabilities: by hand, against a second implementation, and over sessions
// where walls have no effect or one that was planted.

import { expect, test } from 'vitest'
import { gradeSessions } from '../../../src/archive/grades.ts'
import { readGradeSums } from '../../../src/data/published/gradeSums.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { openTestDb } from '../../support/db.ts'
import {
  buildGrades,
  type GradedTables,
  judgeByWalking,
  listMinutes,
  type StatedLevels,
  type StrikeGamma,
} from '../../support/gradedSession.ts'
import { randomNumbers } from '../../support/random.ts'

const DAY = '2026-10-14'

/** Minutes at 6000 but for the given ones. */
const minutesWith = (values: Readonly<Record<string, number | null>>, move: number | null = 20) =>
  listMinutes().map(minute => ({
    minute,
    spot: values[minute] ?? (minute in values ? null : 6000),
    move,
  }))

const stated = (part: Partial<StatedLevels> = {}): StatedLevels => ({
  minute: '10:00',
  book: 'measured',
  spot: 6000,
  callWall: 6020,
  putWall: 5980,
  ...part,
})

async function gradeOne(tables: Partial<GradedTables>) {
  const db = await openTestDb()
  await buildGrades(db, {
    date: DAY,
    minutes: minutesWith({}),
    levels: [stated()],
    strikes: [],
    ...tables,
  })
  return db
}

test.each([
  ['never comes near', {}, 'untouched', null, null],
  ['comes within 0.05 % and stays', { '10:20': 6017 }, 'held', '10:20', null],
  ['comes near, not near enough', { '10:20': 6016.9 }, 'untouched', null, null],
  ['passes less than 0.1 % beyond', { '10:20': 6018, '10:40': 6025.9 }, 'held', '10:20', null],
  ['passes 0.1 % beyond', { '10:20': 6018, '10:40': 6026 }, 'broken', '10:20', null],
  ['passes beyond at the last minute', { '10:20': 6018, '10:50': 6026 }, 'broken', '10:20', null],
  ['passes beyond after half an hour', { '10:20': 6018, '10:51': 6026 }, 'held', '10:20', null],
  ['jumps over it', { '10:20': 6030 }, 'broken', '10:20', null],
  ['is touched by the end of the hour', { '11:00': 6020 }, 'held', '11:00', null],
  ['is touched after the hour', { '11:01': 6020 }, 'untouched', null, null],
  ['lacks a minute before', { '10:10': null, '10:20': 6020 }, null, '10:20', 'no_index'],
  ['lacks a minute after the touch', { '10:20': 6020, '10:30': null }, null, '10:20', 'no_index'],
  ['lacks a minute later', { '10:20': 6020, '10:51': null }, 'held', '10:20', null],
] as const)('a wall above the index that %s', async (_, spots, outcome, touched, reason) => {
  const db = await gradeOne({ minutes: minutesWith(spots) })
  expect(
    await db.rows(
      `select outcome, strftime(touched_at, '%H:%M') as touched, reason
       from ledger.level_grades where kind = 'call_wall'`,
    ),
  ).toEqual([{ outcome, touched, reason }])
  expect(await db.audit('grades_have_reasons')).toEqual([])
})

test.each([
  [{ putWall: 6002 }, 'at_index'],
  [{ putWall: null, reason: 'inventory_unknown' }, 'inventory_unknown'],
  [{ putWall: null, callWall: null, spot: null, reason: 'no_spot' }, 'no_spot'],
  [{ putWall: null }, 'no_wall'],
])('a level that cannot be graded says why: %j', async (part, reason) => {
  const db = await gradeOne({ levels: [stated(part)] })
  const rows = await db.rows(
    "select outcome, touched_at, reason from ledger.level_grades where kind = 'put_wall'",
  )
  expect(rows).toEqual([{ outcome: null, touched_at: null, reason }])
  expect(await db.audit('grades_have_reasons')).toEqual([])
})

test('a wall touched less than half an hour before the close is not judged', async () => {
  const levels = [stated({ minute: '15:00' })]
  const outcomes = await Promise.all(
    ['15:30', '15:31'].map(async minute => {
      const db = await gradeOne({ levels, minutes: minutesWith({ [minute]: 6020 }) })
      const [row] = await db.rows(
        "select outcome, reason from ledger.level_grades where kind = 'call_wall'",
      )
      return row
    }),
  )
  expect(outcomes).toEqual([
    { outcome: 'held', reason: null },
    { outcome: null, reason: 'too_late' },
  ])
})

test('four strikes are next in gamma, and four others as far away: two nearer, two not', async () => {
  const strikes: StrikeGamma[] = []
  for (let strike = 5900; strike <= 6100; strike += 5) {
    const gamma = strike >= 6000 && strike <= 6040 && strike % 10 === 0 ? strike - 5990 : 1e-3
    strikes.push({ minute: '10:00', book: 'measured', strike, call: gamma, put: -1e-3 })
  }
  const listStrikes = async (part: Partial<StatedLevels>, rows = strikes) => {
    const db = await gradeOne({ strikes: rows, levels: [stated(part)] })
    return await db.rows(
      "select role, rank, strike from ledger.level_grades where kind = 'call_wall' order by all",
    )
  }
  const rows = await listStrikes({ spot: 6001, callWall: 6060 })
  const ranked = [6040, 6030, 6020, 6010].map((strike, at) => ({
    role: 'rank',
    rank: at + 2,
    strike,
  }))
  // the wall is 59 away: 54 and 56 are nearer (6055, 5945), 61 and 64 are not (5940, 6065)
  const beside = [5940, 5945, 6055, 6065].map(strike => ({ role: 'random', rank: null, strike }))
  expect(rows).toEqual([{ role: 'level', rank: 1, strike: 6060 }, ...beside, ...ranked])
  expect(await listStrikes({ spot: 6001, callWall: 6060 }, strikes.toReversed())).toEqual(rows)
  // of a wall 4 away there is one that is nearer: 6000, at 1; then come 6 and 11
  const near = await listStrikes({ spot: 6001, callWall: 6005 })
  expect(near.flatMap(({ role, strike }) => (role === 'random' ? [strike] : []))).toEqual([
    5990, 5995, 6000,
  ])
})

test('a probability is judged by the variance of the next half hour', async () => {
  // a straddle of 20 points with 5 h 30 left: 20^2 x pi / 2 x 30 / 330 = 57.1 points squared
  const p = 0.8
  const calm = await gradeOne({
    levels: [stated({ minute: '10:30', p })],
    minutes: minutesWith({ '10:40': 6005.3 }),
  })
  const wild = await gradeOne({
    levels: [stated({ minute: '10:30', p })],
    minutes: minutesWith({ '10:40': 6005.4 }),
  })
  const read = (db: typeof calm) =>
    db.rows(`select round(expected_variance_points, 1) as expected,
      round(realised_variance_points, 2) as realised, is_calm, reason from ledger.regime_grades`)
  expect(await read(calm)).toEqual([
    { expected: 57.1, realised: 56.18, is_calm: true, reason: null },
  ])
  expect(await read(wild)).toEqual([
    { expected: 57.1, realised: 58.32, is_calm: false, reason: null },
  ])
  expect((await readGradeSums(wild)).regimes).toEqual([
    { book: 'measured', bin: 8, judged: 1, calm: 0, probability_sum: p, square_sum: 0.64 },
  ])
})

test.each([
  [{ p: null, reason: 'inventory_unknown' }, {}, 20, 'inventory_unknown'],
  [{ p: null }, {}, 20, 'no_deviation'],
  [{ p: 0.4 }, { '10:15': null }, 20, 'no_index'],
  [{ p: 0.4 }, {}, null, 'no_expected_move'],
] as const)(
  'a probability that cannot be judged says why: %j %j',
  async (part, spots, move, reason) => {
    const db = await gradeOne({ levels: [stated(part)], minutes: minutesWith(spots, move) })
    expect(await db.rows('select reason from ledger.regime_grades')).toEqual([{ reason }])
    expect(await db.audit('grades_have_reasons')).toEqual([])
  },
)

/** A session whose index walks by chance; `holds` turns it round at a strike with a probability. */
function walkSession(seed: number, holds: number): GradedTables {
  const random = randomNumbers(seed)
  const bell = () => random() + random() + random() + random() - 2
  const date = new Date(Date.UTC(2025, 0, 2) + seed * 86_400_000).toISOString().slice(0, 10)
  const names = listMinutes()
  const minutes: { minute: string; spot: number | null; move: number }[] = []
  const levels: StatedLevels[] = []
  const strikes: StrikeGamma[] = []
  let spot = 6000
  let walls: number[] = []
  let isStopped = false
  for (const minute of names) {
    let next = spot + bell() * 8
    for (const wall of walls) {
      const passes = (spot - wall) * (next - wall) <= 0 && Math.abs(spot - wall) > 1e-9
      if (passes && !isStopped) isStopped = random() < holds
      // it turns round before the level, and stays on its side until the next is stated
      if (passes && isStopped) next = wall + Math.sign(spot - wall)
    }
    spot = next
    minutes.push({ minute, spot: random() < 0.0002 ? null : spot, move: 60 })
    if (!minute.endsWith(':00') || minute > '15:00') continue
    const grid = Math.round(spot / 5) * 5
    for (let strike = grid - 150; strike <= grid + 150; strike += 5) {
      strikes.push({ minute, book: 'measured', strike, call: random(), put: -random() })
    }
    const largest = (pick: (row: StrikeGamma) => number) =>
      strikes
        .filter(row => row.minute === minute && Math.abs(row.strike - spot) < 30)
        .toSorted((one, other) => pick(other) - pick(one))[0]!
    const call = largest(row => row.call)
    const put = largest(row => -row.put)
    // so that the wall is the largest of the whole ladder too
    strikes.splice(strikes.indexOf(call), 1, { ...call, call: 2 })
    const at = strikes.findIndex(row => row.minute === minute && row.strike === put.strike)
    strikes.splice(at, 1, { ...strikes[at]!, put: -2 })
    levels.push({
      minute,
      book: 'measured',
      spot,
      callWall: call.strike,
      putWall: put.strike,
      p: random(),
    })
    walls = [call.strike, put.strike]
    isStopped = false
  }
  return { date, minutes, levels, strikes }
}

async function gradeWalks(holds: number) {
  const db = await openTestDb({ cachesPlans: true })
  const manifests: PublishedManifest[] = []
  for (let seed = 1; seed <= 60; seed++) {
    const session = walkSession(seed, holds)
    await buildGrades(db, session)
    const rows = await db.rows(
      `select minute_et, kind, role, spot, strike, coalesce(outcome, reason) as verdict
       from ledger.level_grades where strike is not null`,
    )
    for (const row of rows) {
      const { minute_et, spot, strike } = row as { minute_et: string; spot: number; strike: number }
      expect(row).toMatchObject({
        verdict: judgeByWalking(session, { minute: minute_et, spot, strike }),
      })
    }
    expect(await db.audit('grades_have_reasons')).toEqual([])
    manifests.push({
      session_date: session.date,
      revision: String(seed),
      simulated: true,
      grades: await readGradeSums(db),
    } as unknown as PublishedManifest)
  }
  const { groups, sessions } = gradeSessions(manifests)
  return { ...groups[0]!, graded: sessions }
}

test('over 60 sessions without an effect walls hold as often as other strikes', async () => {
  const { levels, regimes, graded } = await gradeWalks(0)
  expect(graded).toHaveLength(60)
  const beside = levels.filter(({ role }) => role !== 'level')
  expect(beside).toHaveLength(4)
  for (const { touched, wall_over_it: over, wall_over_it_error: error } of beside) {
    expect(touched).toBeGreaterThan(100)
    expect(Math.abs(over!)).toBeLessThan(3 * error!)
  }
  const [measured] = regimes
  // of a probability by chance a constant is always better
  expect(measured!.brier).toBeGreaterThan(measured!.constant_brier!)
  expect(measured!.judged).toBeGreaterThan(300)
})

test('an effect that was planted is found against both', async () => {
  const { levels } = await gradeWalks(0.5)
  for (const { role, wall_over_it: over, wall_over_it_error: error } of levels) {
    if (role !== 'level') expect(over! / error!).toBeGreaterThan(4)
  }
})
