import { expect, test } from 'vitest'
import type { TestDb } from '../../support/db.ts'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

/** Gives the contract a minute quote before every minute, the market moving up by `step` each. */
const quote = (db: TestDb, step: number) =>
  db.run(
    `insert into tape.quotes by name
     select session_date, minute_at, 'SPXW' as root, session_date + 1 as expiry, 6000 as strike,
       'C' as option_type, 4.9 + $step::double * row_number() over (order by minute_at) as best_bid,
       best_bid + 0.2 as best_ask, minute_at - interval 1 second as quoted_at, quoted_at as known_at
     from tape.minutes cross join tape.session`,
    { step },
  )

/** The NBBO of every print, as far above the quote of its minute. */
const setNbbo = (db: TestDb, step: number, above: number) =>
  db.run(
    `update tape.prints set best_bid = 4.9 + $step::double * sequence + $above::double,
       best_ask = best_bid + 0.2`,
    { step, above },
  )

test.each([
  ['far below the quote before', -0.21, 1],
  ['touches it', -0.199, 0],
  ['lies between the two', 0.5, 0],
  ['touches the one after', 1.199, 0],
  ['far above it', 1.21, 1],
])('an NBBO that %s', async (_, above, share) => {
  const db = await openValidTape()
  await quote(db, 1)
  await db.run('update tape.prints set best_bid = null')
  await setNbbo(db, 1, above)
  await db.run('update tape.prints set best_ask = best_bid + 0.2')
  expect(await findReport(db)).toMatchObject({ quotes_apart_share: share })
})

test('only prints with an NBBO and a quote on either side are judged', async () => {
  const db = await openValidTape()
  await quote(db, 0)
  await setNbbo(db, 0, 9)
  expect(await findReport(db)).toMatchObject({ quotes_apart_share: 1, grade: 'bad' })
  await db.run('delete from tape.quotes where minute(minute_at) % 2 = 1')
  expect(await findReport(db)).toMatchObject({ quotes_apart_share: null })
  await db.run('delete from tape.quotes')
  await quote(db, 0)
  await db.run('update tape.quotes set best_ask = null')
  expect(await findReport(db)).toMatchObject({ quotes_apart_share: null })
  await db.run('delete from tape.quotes')
  await quote(db, 0)
  await db.run('update tape.prints set best_ask = null')
  expect(await findReport(db)).toMatchObject({ quotes_apart_share: null })
})
