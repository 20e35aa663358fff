// At which value contracts settle: official, the index once it stands, or its last value.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildSpots } from '../../../pipelines/build/surface.ts'
import { findTradingSession } from '../../../src/core/market/calendar.ts'
import { loadSession } from '../../../src/data/tape/session.ts'
import { type TestDb, table } from '../../support/db.ts'
import { openLeanDb } from '../../support/lean.ts'
import { runs } from '../../support/runs.ts'
import { hasSharedData } from '../../support/shared.ts'
import { addRows, keepMinutes, loadExpiries, openSessionDb } from '../../support/surface.ts'

const DAY = '2026-10-14' // 16:00 ET is 20:00 UTC

type Spot = { readonly at: string; readonly spot: number; readonly known?: string }

/** Index values of a text table; times are UTC, of the day. */
const listSpots = (text: string): Spot[] => table(text) as unknown as Spot[]

async function openDb(spots: readonly Spot[], day = DAY, isSimulated = false): Promise<TestDb> {
  const db = await openSessionDb(day)
  if (isSimulated) {
    const session = findTradingSession(day)!
    const knownUntilMs = session.closesAtMs
    await loadSession(db, { session, symbol: 'SPX', knownUntilMs, minPremiumUsd: 0, isSimulated })
  }
  const rows = spots.map(({ at, spot, known }) => ({
    session_date: day,
    spotted_at: `${day} ${at}`,
    spot,
    known_at: `${day} ${known ?? at}`,
  }))
  if (rows.length > 0) await addRows(db, 'tape.spots', rows)
  return db
}

async function settle(db: TestDb) {
  await loadExpiries(db)
  await buildSpots(db)
  await db.build('ledger/settlements')
  return db.rows(`select settlement, source, strftime(spotted_at, '%H:%M:%S.%g') as at, reason
    from ledger.settlements`)
}

const BEFORE = '19:59:59.5    6000'

test.each([
  [
    'it has not changed for a minute at its first value',
    '20:00:00      6001\n20:00:30      6001\n20:01:00      6001\n20:05:00      6009',
    { settlement: 6001, source: 'index_unchanged', at: '20:00:00.000' },
  ],
  [
    'it stood a thousandth of a second less than a minute, and then a minute',
    '20:00:00      6001\n20:00:59.999  6001\n20:01:00      6002\n20:02:00      6002',
    { settlement: 6002, source: 'index_unchanged', at: '20:01:00.000' },
  ],
  [
    'it came back to a value: each time counts by itself',
    '20:00:00      6001\n20:00:40      6002\n20:01:20      6001\n20:01:40      6001',
    { settlement: 6000, source: 'last_index', at: '19:59:59.500' },
  ],
  [
    'one value after the close says nothing of a minute',
    '20:00:00      6001',
    { settlement: 6000, source: 'last_index', at: '19:59:59.500' },
  ],
  [
    'what stood before the close counts from the close on alone',
    '19:59:59.9    6001\n20:00:00      6001\n20:00:59.95   6001',
    { settlement: 6001, source: 'last_index', at: '19:59:59.900' },
  ],
  [
    'the last minute of the session is the end: 16:14:00 itself is too late',
    '20:13:00      6001\n20:14:00      6001',
    { settlement: 6000, source: 'last_index', at: '19:59:59.500' },
  ],
  [
    'just before it is not',
    '20:12:59.999  6001\n20:13:59.999  6001',
    { settlement: 6001, source: 'index_unchanged', at: '20:12:59.999' },
  ],
])('the index from the close on: %s', async (_, rows, wanted) => {
  const text = `at            spot\n${BEFORE}\n${rows}`
  expect(await settle(await openDb(listSpots(text)))).toEqual([{ ...wanted, reason: null }])
})

test('a value that became known at 16:14 is not used, one known before is', async () => {
  const known = (at: string) => `
    at        spot  known
    19:59:59  6000  19:59:59
    20:02:00  6001  20:02:00
    20:03:30  6001  ${at}`
  expect(await settle(await openDb(listSpots(known('20:13:59.999'))))).toMatchObject([
    { settlement: 6001, source: 'index_unchanged' },
  ])
  expect(await settle(await openDb(listSpots(known('20:14:00'))))).toMatchObject([
    { settlement: 6000, source: 'last_index' },
  ])
})

test('the last value is that before 16:00:00, at most five minutes old', async () => {
  const last = async (at: string) => settle(await openDb([{ at, spot: 6003 }]))
  expect(await last('19:55:00')).toMatchObject([{ settlement: 6003, source: 'last_index' }])
  const none = [{ settlement: null, source: null, at: null, reason: 'no_index' }]
  expect(await last('19:54:59.999')).toEqual(none)
  expect(await last('20:00:00')).toEqual(none)
  expect(await settle(await openDb([]))).toEqual(none)
})

test('a half day settles from 13:00 on, also in winter', async () => {
  const text = 'at        spot\n17:59:59  6000\n18:03:00  6001\n18:04:00  6001'
  expect(await settle(await openDb(listSpots(text), '2026-11-27'))).toMatchObject([
    { settlement: 6001, source: 'index_unchanged', at: '18:03:00.000' },
  ])
})

const CURRENT = listSpots('at        spot\n19:59:59  6000\n20:00:00  6001\n20:01:00  6001')

test('a simulated session settles at its last value', async () => {
  expect(await settle(await openDb(CURRENT, DAY, true))).toMatchObject([
    { settlement: 6000, source: 'last_index' },
  ])
})

test('an official value comes first, that of the own symbol before one without', async () => {
  const db = await openDb(CURRENT, DAY, true)
  await db.fill(
    'tape.settlements',
    `
    session_date  settlement  symbol
    2026-10-14    6002.5      -
  `,
  )
  const official = { source: 'official', at: null, reason: null }
  expect(await settle(db)).toEqual([{ settlement: 6002.5, ...official }])
  await db.run("insert into tape.settlements values ('2026-10-14', 6002.75, 'SPX', null)")
  expect(await settle(db)).toEqual([{ settlement: 6002.75, ...official }])
  // also where the tape has no index
  await db.run('delete from tape.spots')
  expect(await settle(db)).toEqual([{ settlement: 6002.75, ...official }])
})

test('of two values of an instant the one with a symbol counts', async () => {
  const db = await openDb(CURRENT)
  await db.run(`insert into tape.spots by name
    select session_date, spotted_at, 6007 as spot, known_at, 'SPX' as symbol
    from tape.spots where spot = 6001`)
  expect(await settle(db)).toMatchObject([{ settlement: 6007, source: 'index_unchanged' }])
})

test('a session that runs has no settlement before its last minute', async () => {
  const db = await openDb(CURRENT)
  await keepMinutes(db, '16:00', '16:13')
  expect(await settle(db)).toEqual([])
})

test(`${runs(200)} random closes settle as a plain loop over their values says`, async () => {
  const db = await openDb([])
  const seconds = fc.integer({ min: -2, max: 60 }).map(step => Math.max(step, 1))
  const closes = fc.array(
    fc.tuple(
      seconds,
      fc.integer({ min: 0, max: 1 }).map(step => step * 2),
    ),
    {
      maxLength: 40,
    },
  )
  await fc.assert(
    fc.asyncProperty(closes, async steps => {
      await db.run('delete from tape.spots')
      let [second, spot] = [-1, 6000]
      const values = [{ second, spot }]
      for (const [wait, change] of steps) {
        second += wait
        spot += change
        values.push({ second, spot })
      }
      await addRows(
        db,
        'tape.spots',
        values.map(one => ({
          session_date: DAY,
          spotted_at: new Date(Date.parse(`${DAY}T20:00:00Z`) + one.second * 1000)
            .toISOString()
            .replace('T', ' ')
            .replace('Z', ''),
          spot: one.spot,
        })),
      )
      expect(await settle(db)).toMatchObject([settledByLoop(values)])
    }),
    { numRuns: runs(200) },
  )
})

/** Looks from each value on for one a minute later with none that differs in between. */
function settledByLoop(values: readonly { second: number; spot: number }[]) {
  const after = values.filter(({ second }) => second >= 0 && second < 14 * 60)
  for (const [index, from] of after.entries()) {
    const end = after.findIndex((one, at) => at > index && one.spot !== from.spot)
    const last = after[(end < 0 ? after.length : end) - 1]!
    if (last.second - from.second >= 60) {
      return { settlement: from.spot, source: 'index_unchanged' }
    }
  }
  const before = values.filter(({ second }) => second < 0).at(-1)!
  return { settlement: before.spot, source: 'last_index' }
}

test.skipIf(!hasSharedData).each([
  // the closing values that the exchange published
  ['2021-01-04', 3700.65, 'index_unchanged'],
  // its index ends with the bar before 16:00
  ['2023-06-26', 4329.58, 'last_index'],
])('LEAN minutes of the index on %s settle at %d', async (date, settlement, source) => {
  const db = await openLeanDb(date, () => null)
  expect(await settle(db)).toMatchObject([{ settlement, source, reason: null }])
})
