import { expect, test } from 'vitest'
import { buildBook, buildLevels, buildSurface } from '../../../pipelines/build/surface.ts'
import type { TestDb } from '../../support/db.ts'
import { openMarket } from '../../support/market.ts'

async function build(db: TestDb): Promise<void> {
  await buildSurface(db)
  await buildBook(db)
  await buildLevels(db)
}

/**
 * Levels from 10:02 on; the intervals until 15:29 rest on quotes that were priced before the
 * late data.
 */
const listLevels = (db: TestDb) =>
  db.rows(
    `select minute_et, book_basis, spot, net_gamma_musd_per_point, measured_share, priced_share,
       case when minute_et > '15:29' then {
         'flip': flip, 'interval': [flip_lo, flip_hi], 'reason': reason, 'walls': [call_wall, put_wall],
         'p_positive': p_positive, 'deviation': net_gamma_deviation_musd
       } end as judged
     from levels.levels where minute_et >= '10:02' order by minute_et, book_basis`,
  )

/** Positions, interest that changes a held strike, interest that is all of one, and one of both. */
const LATE_DATA = `
  update tape.dealer_positions set known_at = '2026-10-14 14:00:30' where strike > 5900;
  update tape.open_interest set known_at = '2026-10-14 14:01:10' where strike = 6050;
  update tape.open_interest set known_at = '2026-10-14 14:00:40'
  where strike = 6000 and option_type = 'C'`

test.each(['some', 'no'])(
  'what came late leaves the book as if known at the open, with %s measured before',
  async stored => {
    const db = await openMarket('minute quotes')
    await db.run(LATE_DATA)
    if (stored === 'no') {
      await db.run(`update tape.dealer_positions set known_at = '2026-10-14 14:00:30'`)
    }
    await build(db)
    const late = await listLevels(db)
    const [held] = await db.rows('select count(*) as count from book.late_inventory')
    expect(Number(held!.count)).toBeGreaterThan(50)
    await db.run(`
      update tape.open_interest set known_at = null;
      update tape.dealer_positions set known_at = null`)
    await build(db)
    expect(await listLevels(db)).toEqual(late)
    const [first] = late.filter(row => row.book_basis === 'measured')
    expect(first!.measured_share).toBeGreaterThan(0.01)
  },
)

test.each([
  ['measured whole', 'null', 1],
  ['held before the first Open-Close file', 'open_interest', 0],
])('late positions are a better source of what was held: %s', async (_, guessed, share) => {
  const db = await openMarket('minute quotes')
  await db.run(`
    delete from tape.carried_positions;
    delete from tape.dealer_positions;
    delete from tape.open_interest where expiry <> '2026-10-15';
    update tape.open_interest set known_at = null;
    insert into tape.dealer_positions
    select session_date, root, expiry, strike, option_type,
      if(option_type = 'C', open_interest, -open_interest), timestamp '2026-10-14 14:00:30',
      ${guessed}, null
    from tape.open_interest`)
  await build(db)
  const shares = await db.rows(
    `select minute_et, measured_share from levels.levels
     where book_basis = 'measured' and minute_et in ('10:00', '10:01') order by minute_et`,
  )
  expect(shares).toEqual([
    { minute_et: '10:00', measured_share: 0 },
    { minute_et: '10:01', measured_share: share },
  ])
  await db.run('create table fold.print_fates (sequence bigint, fate varchar)')
  for (const model of ['outside_flows', 'position_changes', 'closing_positions'])
    await db.build(`ledger/${model}`)
  const sources = await db.rows(
    `select distinct open_source from ledger.closing_positions where open_source is not null`,
  )
  expect(sources).toEqual([{ open_source: 'measured' }])
})
