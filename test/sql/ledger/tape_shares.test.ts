import { expect, test } from 'vitest'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

/** Three prints in the position of each, of trades of their own. */
const TRIPLED = `
  insert into tape.prints
  select prints.* replace (sequence + 1_000 * copy as sequence, 5.0 + copy / 100 as price)
  from tape.prints cross join (select unnest([1, 2])) as copies(copy)`

test('conditions that name no leg are a share of 1,000 of them at least', async () => {
  const db = await openValidTape()
  await db.run(TRIPLED)
  await db.run("update tape.prints set condition = 'f' where sequence <= 12") // MLET: a leg
  await db.run('update tape.prints set condition = null where sequence > 2_190') // 215 of 1,215
  expect(await findReport(db)).toMatchObject({ single_condition_share: 988 / 1_000 })
  // 2190 has a code that says nothing
  await db.run('update fold.print_fates set letter = null where sequence = 2_190')
  expect(await findReport(db)).toMatchObject({
    single_condition_share: null,
    silent_condition_share: 1 / 1_215,
  })
})

test.each([
  ['one microsecond before the print', 'interval 1 microsecond', 0],
  ['of the instant of the print', 'interval 0 microsecond', 1],
  ['after the print', 'interval (-1) microsecond', 1],
  ['5 seconds old', 'interval 5 second', 0],
  ['older', 'interval 5000001 microsecond', 1],
])('a quote %s', async (_, age, share) => {
  const db = await openValidTape()
  await db.run(`update tape.prints set quoted_at = printed_at - ${age}`)
  expect(await findReport(db)).toMatchObject({ quotes_missing_share: share })
})

test('a bid of zero with an ask is a quote, a locked or crossed one gives no side', async () => {
  const db = await openValidTape()
  await db.run('update tape.prints set best_bid = 0 where sequence <= 100')
  expect(await findReport(db)).toMatchObject({ quotes_missing_share: 0 })
  await db.run('update tape.prints set best_bid = best_ask where sequence = 101')
  await db.run('update tape.prints set best_bid = best_ask + 1 where sequence = 102')
  await db.run('update tape.prints set best_bid = null where sequence = 103')
  expect(await findReport(db)).toMatchObject({ quotes_missing_share: 3 / 405 })
})

test('a tape that is there twice has a twin of every second print', async () => {
  const db = await openValidTape()
  await db.run("update tape.prints set exchange = 'C', trade_id = null where sequence > 5")
  await db.run(
    'insert into tape.prints select * replace (sequence + 1_000 as sequence) from tape.prints',
  )
  expect(await findReport(db)).toMatchObject({ twin_share: 0.5, grade: 'bad' })
})

test.each(['trade_id', 'exchange', 'condition', 'price', 'size', 'strike', 'expiry', 'printed_at'])(
  'another %s makes another trade',
  async column => {
    const db = await openValidTape()
    const other = {
      trade_id: "'2'",
      exchange: "'X'",
      condition: "'b'",
      price: 'price + 0.1',
      size: 'size + 1',
      strike: 'strike + 5',
      expiry: 'expiry + 1',
      printed_at: 'printed_at + interval 1 microsecond',
    }[column]
    await db.run(`insert into tape.prints
      select * replace (sequence + 1_000 as sequence, ${other} as ${column}) from tape.prints`)
    expect(await findReport(db)).toMatchObject({ print_count: 810, twin_share: 0 })
  },
)

test('prints known more than a minute after they printed came in late', async () => {
  const db = await openValidTape()
  await db.run('update tape.prints set known_at = printed_at + interval 60 second')
  expect(await findReport(db)).toMatchObject({ known_late_share: 0, grade: 'good' })
  await db.run(`update tape.prints set known_at = printed_at + interval 60000001 microsecond
    where sequence <= 81`)
  expect(await findReport(db)).toMatchObject({ known_late_share: 0.2, grade: 'doubtful' })
})
