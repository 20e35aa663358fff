import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { keepMinutes, openSessionDb } from '../../support/surface.ts'

const DAY = '2026-10-14' // 10:00 ET is 14:00 UTC

test('a minute quote counts when younger than 60 seconds and strictly before the minute', async () => {
  const db = await openSessionDb(DAY)
  await db.fill(
    'tape.quotes',
    `
    session_date  minute_at            root  expiry      strike  option_type  best_bid  best_ask  quoted_at
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5900    P            1.00      1.10      2026-10-14 13:59:59.999
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5905    P            1.00      1.10      2026-10-14 14:00:00      # at the minute
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5910    P            1.00      1.10      2026-10-14 13:59:00.001
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5915    P            1.00      1.10      2026-10-14 13:59:00      # 60 s old
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5920    P            1.20      1.10      2026-10-14 13:59:59      # crossed
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5925    P            -         0.05      2026-10-14 13:59:59      # no bid
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-14  5930    P            0.00      0.10      2026-10-14 13:59:59
  `,
  )
  await db.build('surface/quotes')
  expect(
    await db.rows('select minute_et, strike, mid from surface.quotes order by strike'),
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
    sequence  printed_at               known_at                 root  expiry      strike  option_type  size  price  best_bid  best_ask  quoted_at                underlying_price
    1         2026-10-14 13:55:00      2026-10-14 13:55:00      SPXW  2026-10-14  5900    P            1     1      1.00      1.10      -                        6000
    2         2026-10-14 13:55:00.001  2026-10-14 13:55:00.001  SPXW  2026-10-14  5905    P            1     1      2.00      2.10      -                        6001
    3         2026-10-14 13:59:30      2026-10-14 13:59:30      SPXW  2026-10-14  5905    P            1     1      3.00      3.10      2026-10-14 13:54:00      -  # an old NBBO
    4         2026-10-14 13:59:40      2026-10-14 13:59:40      SPXW  2026-10-14  5905    P            1     1      5.00      4.90      -                        -  # crossed
    5         2026-10-14 13:59:50      2026-10-14 14:00:10      SPXW  2026-10-14  5905    P            1     1      6.00      6.10      -                        6006  # known later
    6         2026-10-14 14:00:00      2026-10-14 14:00:00      SPXW  2026-10-14  5905    P            1     1      7.00      7.10      -                        6007  # not before the minute
    7         2026-10-14 13:58:00      2026-10-14 13:58:00      SPXW  2026-10-14  5910    P            1     1      8.00      8.10      -                        -
    8         2026-10-14 13:58:00      2026-10-14 13:58:00      SPXW  2026-10-14  5910    P            1     1      8.20      8.30      -                        -  # same instant, later
  `

test('without minute quotes the NBBO of the prints of the last five minutes stands in', async () => {
  const db = await openSessionDb(DAY)
  await db.fill('tape.prints', PRINTS)
  await keepMinutes(db, '10:00', '10:01')
  await db.build('surface/quotes')
  expect(await db.rows('select minute_et, strike, mid from surface.quotes order by all')).toEqual(
    table(`
    minute_et  strike  mid
    10:00      5905    2.05   # 5900 was printed five minutes ago to the instant
    10:00      5910    8.25
    10:01      5905    7.05
    10:01      5910    8.25
  `),
  )
})

test('with a single minute quote the prints carry nothing', async () => {
  const db = await openSessionDb(DAY)
  await db.fill('tape.prints', PRINTS)
  await db.fill(
    'tape.quotes',
    `
    session_date  minute_at            root  expiry      strike  option_type  best_bid  best_ask  quoted_at
    2026-10-14    2026-10-14 15:00:00  SPXW  2026-10-14  5900    P            1.00      1.10      2026-10-14 14:59:59
  `,
  )
  await db.build('surface/quotes')
  expect(await db.rows('select minute_et, strike from surface.quotes')).toEqual([
    { minute_et: '11:00', strike: 5900 },
  ])
})

test('the spot is the last one strictly before the minute, five minutes old at most', async () => {
  const db = await openSessionDb(DAY)
  await db.fill(
    'tape.spots',
    `
    session_date  spotted_at               spot
    2026-10-14    2026-10-14 13:59:59.999  6000
    2026-10-14    2026-10-14 14:00:00      6001
    2026-10-14    2026-10-14 14:02:30      6002
  `,
  )
  await keepMinutes(db, '10:00', '10:01', '10:03', '10:07', '10:08')
  await db.build('surface/spots')
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
  await db.fill('tape.prints', PRINTS)
  await keepMinutes(db, '09:59', '10:00', '10:01')
  await db.build('surface/spots')
  expect(await db.rows('select minute_et, spot from surface.spots order by minute_et')).toEqual(
    table(`
    minute_et  spot
    09:59      6001
    10:00      6001
    10:01      6007
  `),
  )
})
