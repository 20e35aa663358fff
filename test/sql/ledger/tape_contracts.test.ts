import { expect, test } from 'vitest'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

test('a contract without a minute quote all day is not listed', async () => {
  const db = await openValidTape()
  await db.fill(
    'tape.quotes',
    `
    session_date  minute_at            root  expiry      strike  option_type  best_bid  best_ask
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-15  6000    C            4.9       5.1
    2026-10-14    2026-10-14 14:00:00  SPXW  2026-10-15  6005    P            4.9       5.1
  `,
  )
  expect(await findReport(db)).toMatchObject({ unlisted_share: 0 })
  await db.run("update tape.prints set option_type = 'P' where sequence <= 81")
  await db.run('update tape.prints set strike = 6005 where sequence <= 27')
  expect(await findReport(db)).toMatchObject({ unlisted_share: 54 / 405 })
})

test('a contract is over from the instant of its expiry on', async () => {
  const db = await openValidTape()
  await db.run("update tape.prints set expiry = '2026-10-14' where sequence between 381 and 395")
  // 15:50:30 to 16:04:30; the session's own expiry is at 16:00
  await db.run(`update tape.prints set printed_at = '2026-10-14 20:00:00' where sequence = 390`)
  expect(await findReport(db)).toMatchObject({ after_expiry_share: 6 / 405 })
  await db.run(`update tape.prints set printed_at = '2026-10-14 19:59:59.999999'
    where sequence = 390`)
  expect(await findReport(db)).toMatchObject({ after_expiry_share: 5 / 405 })
  // AM settled: over when the session opens
  await db.run("update tape.prints set root = 'SPX' where sequence between 381 and 395")
  expect(await findReport(db)).toMatchObject({ after_expiry_share: 15 / 405 })
})

test('a tape has calls and puts; of fewer than 1,000 prints that is not judged', async () => {
  const db = await openValidTape()
  await db.run("update tape.prints set option_type = 'P' where sequence <= 100")
  expect(await findReport(db)).toMatchObject({ one_type_share: null })
  await db.run(`insert into tape.prints by name
    select * replace (sequence + 1000 as sequence) from tape.prints where sequence <= 350
    union all by name
    select * replace (sequence + 2000 as sequence) from tape.prints where sequence <= 244`)
  expect(await findReport(db)).toMatchObject({ print_count: 999, one_type_share: null })
  await db.run(`insert into tape.prints by name
    select * replace (3000 as sequence) from tape.prints where sequence = 405`)
  expect(await findReport(db)).toMatchObject({ print_count: 1000, one_type_share: 0.7 })
  await db.run("update tape.prints set option_type = 'P' where sequence < 3000")
  expect(await findReport(db)).toMatchObject({ one_type_share: 0.999 })
})

test('volume counts as held where somebody is known to hold some before the open', async () => {
  const db = await openValidTape()
  await db.run('update tape.prints set size = 30 where sequence = 1')
  await db.run('update tape.prints set strike = 6000 + 5 * sequence where sequence <= 6')
  const position = "date '2026-10-15', 6000 + 5 * number, 'C'"
  await db.run(`
    insert into tape.open_interest
    select date '2026-10-14', 'SPXW', date '2026-10-15', 6000 + 5 * number, 'C', held, known_at
    from (values (1, 0, null), (2, null, null), (3, 7, timestamp '2026-10-14 13:30'),
      (4, 7, timestamp '2026-10-14 13:29:59'), (5, 0, null)) as given(number, held, known_at);
    insert into tape.carried_positions
    select 'SPXW', ${position}, -3, 0, null, 0, 0, 0, 1 from (select 5 as number)`)
  const total = 404 * 10 + 30
  // 1: none; 2: not known; 3: known at the open; 6: no row
  expect(await findReport(db)).toMatchObject({
    volume_without_open_interest_share: (30 + 3 * 10) / total,
  })
  await db.run(`insert into tape.dealer_positions by name
    select date '2026-10-14' as session_date, 'SPXW' as root, date '2026-10-15' as expiry,
      6005 as strike, 'C' as option_type, 0 as quantity`)
  expect(await findReport(db)).toMatchObject({ volume_without_open_interest_share: 30 / total })
  await db.run('delete from tape.open_interest')
  expect(await findReport(db)).toMatchObject({
    volume_without_open_interest_share: null,
    has_open_interest: false,
  })
})
