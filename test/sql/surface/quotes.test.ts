import { expect, test } from 'vitest'
import { buildSpots } from '../../../pipelines/build/surface.ts'
import { loadExpiries } from '../../../src/data/tape/session.ts'
import { type TestDb, table } from '../../support/db.ts'
import { addRows, keepMinutes, openSessionDb, QUOTED_CONTRACTS } from '../../support/surface.ts'

const DAY = '2026-10-14' // 10:00 ET is 14:00 UTC

/** Rows of a put that expires today; times of day are UTC. */
async function addPuts(db: TestDb, name: string, text: string): Promise<void> {
  const isTime = (value: unknown) => /^\d\d:\d\d:/.test(String(value))
  const put = { session_date: DAY, root: 'SPXW', expiry: DAY, option_type: 'P', size: 1, price: 1 }
  const rows = table(text).map(row => ({
    ...put,
    ...Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, isTime(value) ? `${DAY} ${value}` : value]),
    ),
  }))
  await addRows(db, name, rows)
}

async function buildModels(db: TestDb): Promise<void> {
  await loadExpiries(db)
  await buildSpots(db)
  await db.build('surface/terms')
}

test('a minute quote counts strictly before the minute, at most 60 seconds old', async () => {
  const db = await openSessionDb(DAY)
  await addPuts(
    db,
    'tape.quotes',
    `
    minute_at  strike  best_bid  best_ask  quoted_at
    14:00:00   5900    1.00      1.10      13:59:59.999
    14:00:00   5905    1.00      1.10      14:00:00          # now
    14:00:00   5910    1.00      1.10      13:59:00          # 60 s old
    14:00:00   5915    1.00      1.10      13:58:59.999
    14:00:00   5920    1.20      1.10      13:59:59  # crossed
    14:00:00   5925    -         0.05      13:59:59          # no bid
    14:00:00   5930    0.00      0.10      13:59:59    
  `,
  )
  await buildModels(db)
  expect(
    await db.rows(`select minute_et, strike, mid from (${QUOTED_CONTRACTS}) order by strike`),
  ).toEqual(
    table(`
    minute_et  strike  mid
    10:00      5900    1.05
    10:00      5910    1.05
    10:00      5920    -
    10:00      5925    -
    10:00      5930    0.05
  `),
  )
})

const PRINTS = `
    sequence  printed_at    known_at      strike  best_bid  best_ask  quoted_at  underlying_price
    1         13:55:00      13:55:00      5900    1.00      1.10      -          6000
    2         13:55:00.001  13:55:00.001  5905    2.00      2.10      -          6001
    3         13:59:30      13:59:30      5905    3.00      3.10      13:54:00   -  # an old NBBO
    4         13:59:40      13:59:40      5905    5.00      4.90      -          -  # crossed
    5         13:59:50      14:00:10      5905    6.00      6.10      -          6006  # known later
    6         14:00:00      14:00:00      5905    7.00      7.10      -          6007  # now
    7         13:58:00      13:58:00      5910    8.00      8.10      -          -
    8         13:58:00      13:58:00      5910    8.20      8.30      -          -  # last
  `

test('without minute quotes the NBBO of prints of five minutes stands in', async () => {
  const db = await openSessionDb(DAY)
  await addPuts(db, 'tape.prints', PRINTS)
  await keepMinutes(db, '10:00', '10:01')
  await buildModels(db)
  expect(
    await db.rows(`select minute_et, strike, mid from (${QUOTED_CONTRACTS}) order by all`),
  ).toEqual(
    table(`
    minute_et  strike  mid
    10:00      5905    2.05   # 5900 was printed five minutes ago to the instant
    10:00      5910    8.25
    10:01      5905    7.05
    10:01      5910    8.25
  `),
  )
})

test('from the first minute quote that is known on, the prints carry nothing', async () => {
  const db = await openSessionDb(DAY)
  await addPuts(db, 'tape.prints', PRINTS)
  await addPuts(
    db,
    'tape.quotes',
    `
    minute_at  strike  best_bid  best_ask  quoted_at  known_at
    13:57:00   5905    3.00      3.20      13:56:50   14:00:30     # came late
    14:02:00   5900    1.00      1.10      14:01:59   14:01:59
    14:03:00   5900    1.00      1.10      14:02:59   14:03:00  # not before its own minute
  `,
  )
  await keepMinutes(db, '09:57', '10:00', '10:01', '10:02', '10:03')
  await buildModels(db)
  expect(
    await db.rows(`select minute_et, strike, mid from (${QUOTED_CONTRACTS}) order by all`),
  ).toEqual(
    table(`
    minute_et  strike  mid
    09:57      5900    1.05   # as the prints carried it: the quote was not known
    09:57      5905    2.05
    10:00      5905    2.05
    10:00      5910    8.25
    10:02      5900    1.05
  `),
  )
})

test('the spot is the last one strictly before the minute, five minutes old at most', async () => {
  const db = await openSessionDb(DAY)
  await db.fill(
    'tape.spots',
    `
    session_date  spotted_at               spot  known_at
    2026-10-14    2026-10-14 13:59:59.999  6000  2026-10-14 13:59:59.999
    2026-10-14    2026-10-14 14:00:00      6001  2026-10-14 14:00:00
    2026-10-14    2026-10-14 14:02:30      6002  2026-10-14 14:02:30
    2026-10-14    2026-10-14 14:02:45      6003  2026-10-14 14:07:10  # came late
  `,
  )
  await keepMinutes(db, '10:00', '10:01', '10:03', '10:07', '10:08')
  await buildModels(db)
  expect(
    await db.rows('select minute_et, spot, reason from surface.spots order by minute_et'),
  ).toEqual(
    table(`
    minute_et  spot  reason
    10:00      6000  -
    10:01      6001  -
    10:03      6002  -
    10:07      6002  -
    10:08      -     no_spot   # five and a half minutes
  `),
  )
})

test('without index values the spot comes from the prints that were known', async () => {
  const db = await openSessionDb(DAY)
  await addPuts(db, 'tape.prints', PRINTS)
  await keepMinutes(db, '09:59', '10:00', '10:01')
  await buildModels(db)
  expect(await db.rows('select minute_et, spot from surface.spots order by minute_et')).toEqual(
    table(`
    minute_et  spot
    09:59      6001
    10:00      6001
    10:01      6007
  `),
  )
})

test('until the first index value is known the prints carry the spot', async () => {
  const db = await openSessionDb(DAY)
  await addPuts(db, 'tape.prints', PRINTS)
  await db.fill(
    'tape.spots',
    `
    session_date  spotted_at           spot  known_at
    2026-10-14    2026-10-14 13:58:30  5990  2026-10-14 14:00:20
  `,
  )
  await keepMinutes(db, '10:00', '10:01', '10:05')
  await buildModels(db)
  expect(await db.rows('select minute_et, spot from surface.spots order by minute_et')).toEqual(
    table(`
    minute_et  spot
    10:00      6001
    10:01      5990
    10:05      -
  `),
  )
})
