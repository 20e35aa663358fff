import { expect, test } from 'vitest'
import type { TestDb } from '../../support/db.ts'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

test('a minute without a forward weighs what its expiry trades', async () => {
  const db = await openValidTape()
  await db.run("update tape.prints set expiry = '2026-10-16' where sequence <= 81")
  await db.run(`
    insert into surface.forwards
    select * replace (date '2026-10-16' as expiry) from surface.forwards
    union all -- nobody traded it
    select * replace (date '2026-10-19' as expiry, null as forward) from surface.forwards`)
  await db.run(`update surface.forwards set forward = null, reason = 'no_forward'
    where expiry = '2026-10-16' and minute_et < '10:00'`)
  expect(await findReport(db)).toMatchObject({
    forward_minutes_missing_share: expect.closeTo((30 * 81) / (405 * 405), 12),
  })
  // without an index, or after the expiry, there is none to be had
  await db.run(`update surface.forwards set reason = 'no_spot', spot = null
    where minute_et < '09:45'`)
  await db.run(`update surface.forwards set forward = null, reason = 'expired'
    where expiry = '2026-10-16' and minute_et >= '16:00'`)
  expect(await findReport(db)).toMatchObject({
    forward_minutes_missing_share: expect.closeTo((15 * 81) / (390 * 324 + 375 * 81), 12),
  })
})

/** Gives every minute the forward of one more expiry, 3 % off the index. */
const addForward = (db: TestDb, root: string, expiry: string, secondsLeft: number) =>
  db.run(
    `insert into surface.forwards
     select * replace ($root::varchar as root, $expiry::date as expiry, 6180 as forward,
       $seconds::integer as seconds_left, 1 as discount)
     from surface.forwards where root = 'SPXW' and expiry = '2026-10-15'`,
    { root, expiry, seconds: secondsLeft },
  )

test('the forward of the index is the nearest one settled in the afternoon', async () => {
  const db = await openValidTape()
  await db.run(`insert into tape.open_interest by name
    select date '2026-10-14' as session_date, unnest(['SPX', 'VIX', 'SPXW', 'SPXW']) as root,
      unnest([date '2026-10-15', '2026-10-15', '2026-10-14', '2026-10-16']) as expiry,
      6000 as strike, 'C' as option_type, 1 as open_interest`)
  await addForward(db, 'SPX', '2026-10-15', 80_000)
  await addForward(db, 'VIX', '2026-10-15', 80_000)
  await addForward(db, 'SPXW', '2026-10-16', 180_000)
  const near = Math.abs((6001 * 0.9999) / 6000 - 1)
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: near })
  await addForward(db, 'SPXW', '2026-10-14', 20_000)
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: 6180 / 6000 - 1, grade: 'bad' })
  await db.run("update surface.forwards set forward = null where expiry = '2026-10-14'")
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: near })
})

test('of the gaps, nine minutes of ten have a smaller one; four days are near', async () => {
  const db = await openValidTape()
  const set = (column: string, value: number, where: string) =>
    db.run(`update surface.forwards set ${column} = $value where ${where}`, { value })
  await set('discount', 1, 'true')
  await set('forward', 6060, "minute_et >= '15:36'") // 39 minutes of 405
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: 6001 / 6000 - 1 })
  await set('forward', 5940, "minute_et >= '15:33'") // 42
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: 1 - 5940 / 6000, grade: 'bad' })
  await set('seconds_left', 4 * 86_400, 'true')
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: 1 - 5940 / 6000 })
  await set('seconds_left', 4 * 86_400 + 1, 'true')
  expect(await findReport(db)).toMatchObject({ forward_gap_p90: null, grade: 'good' })
})
